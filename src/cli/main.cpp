#include "cli/app.hpp"

int main(int argc, char** argv) { return apod::cli::run(argc, argv); }
