#include "cli/app.hpp"

#include "base/interruption.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace apod::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
    return names;
}

// The command that was parsed, or the application itself.
const CLI::App& chosen_command(const CLI::App& app) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    return parsed.empty() ? app : *parsed.front();
}

// "--jsn" -> "did you mean '--json'? ..."
std::string option_hint(const CLI::App& command, const std::vector<std::string>& extras) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; }))
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string where = command.get_parent() == nullptr ? "apod --help" : "apod " + command.get_name() + " --help";
    for (const std::string& extra : extras) {
        if (!extra.starts_with("--")) continue;
        if (const auto nearest = nearest_name(extra.substr(0, extra.find('=')), known))
            return "did you mean '" + *nearest + "'? See " + where;
    }
    return "see " + where;
}

// Everything that CLI11 throws: help and version are results, the rest is a usage error.
int parse_outcome(CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        std::ostringstream text;
        app.exit(error, text, text);
        std::string shown = text.str();
        if (!shown.ends_with('\n')) shown += '\n';
        const Result<void> written = write_stdout(shown);
        return written ? 0 : report_error(written.error());
    }
    const CLI::App& command = chosen_command(app);
    return report_error(usage_error(error.what(), option_hint(command, app.remaining(true))));
}

void add_version(CLI::App& app) { app.set_version_flag("--version", std::string("apod ") + APOD_VERSION, "Print the version and exit"); }

void declare(CLI::App& app, int& code) {
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.get_formatter()->column_width(34);
    app.require_subcommand(1);
    add_climb(app, code);
    add_explain(app, code);
    add_run(app, code);
    add_check(app, code);
    add_devices(app, code);
    add_transfer(app, code);
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) add_version(*command);
    add_version(app);
    app.footer("Exit codes: 0 ok; 1 a check or verification failed; 2 usage; 3 bad input; 4 device unavailable; 70 a fault of apod; "
               "124 stopped by --timeout; 130 by Ctrl-C, 128 + n by signal n.\n\n"
               "Examples:\n"
               "  apod climb transpose                      a ladder of CUDA kernels on an emulated H200\n"
               "  apod explain transpose -r per_element_32  why a rung is as slow as it is, line by line");
}

int parse_and_run(int argc, const char* const* argv) {
    int code = 0;
    CLI::App app(
        "apod makes CUDA programs faster: where the time goes, how far it is from the hardware's limit, why, and what to try next.",
        "apod");
    declare(app, code);
    if (argc < 2) return report_error(usage_error("no command is given", "see apod --help"));
    const std::string_view first = argv[1];
    const std::vector<std::string> commands = command_names(app);
    if (!first.empty() && first.front() != '-' && std::find(commands.begin(), commands.end(), first) == commands.end())
        return report_error(usage_error("there is no command '" + std::string(first) + "'", nearest_hint(first, commands)));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parse_outcome(app, error);
    }
    return code;
}

} // namespace

int run(int argc, const char* const* argv) {
    try {
        prepare_streams();
        remove_directories_when_interrupted();
        return parse_and_run(argc, argv);
    } catch (const std::bad_alloc&) {
        return report_error(unavailable("there is not enough memory", "take a smaller problem, e.g. -p n=512"));
    } catch (const std::exception& error) {
        return report_error(internal_error(error.what()));
    } catch (...) {
        return report_error(internal_error("an unknown exception"));
    }
}

} // namespace apod::cli
