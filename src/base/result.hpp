// A value, or the Diagnostic that says why there is none. Propagate with `if (!r) return r.error();`.
#pragma once

#include "base/diagnostic.hpp"

#include <optional>
#include <utility>
#include <variant>

namespace apod {

template<class T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    // Calling the accessor of the state that is not there is our own bug: std::get throws, main reports it with exit code 70.
    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    [[nodiscard]] const Diagnostic& error() const& { return std::get<1>(state_); }
    [[nodiscard]] Diagnostic&& error() && { return std::get<1>(std::move(state_)); }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    std::variant<T, Diagnostic> state_;
};

// Success without a value.
template<> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Diagnostic error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Diagnostic& error() const& { return error_.value(); }

private:
    std::optional<Diagnostic> error_;
};

} // namespace apod
