// What a prediction from machine code is made from, as text: to keep the inputs of launches whose times were measured, and to predict them
// again with a changed model without running anything. Neither PTX nor machine code is in it, only of each instruction what its time
// depends on.
#pragma once

#include "base/result.hpp"
#include "model/facts.hpp"

#include <deque>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace apod::model {

// Two paragraphs, "kernel ..." and "launch ...". The first is the same for all launches of a kernel. facts.machine must be there.
void write_inputs(std::ostream& out, const LaunchFacts& facts);

// One launch read back; owns what the facts refer to.
struct KeptLaunch {
    std::unique_ptr<LaunchFacts> facts;
    std::shared_ptr<const emu::Program> program;
    std::shared_ptr<const emu::Execution> execution;
};

class InputReader {
public:
    // `gpu` must outlive the launches.
    InputReader(std::istream& in, const arch::Gpu& gpu) : in_(in), gpu_(gpu) {}

    // The next launch; its kernel is that of the last paragraph "kernel". No launch at the end. Errors are bad_input: a paragraph of
    // another kind, or one that is cut off.
    Result<KeptLaunch> next();

private:
    bool read_kernel();
    Result<KeptLaunch> read_launch();

    std::istream& in_;
    const arch::Gpu& gpu_;
    std::deque<std::string> texts_; // opcodes; the programs that are read refer to them
    std::shared_ptr<const emu::Program> program_;
    std::shared_ptr<const MachineCode> machine_;
};

} // namespace apod::model
