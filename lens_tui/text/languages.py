"""What language a source file is written in, told by its name or by the program that its first line names."""

import re

_ENDINGS = {
    "bash": ".sh .bash .zsh .ksh .bats .ebuild",
    "c": ".c",
    "cpp": ".cpp .cc .cxx .c++ .cu .h .hpp .hh .hxx .h++ .cuh .ino .ipp .tpp",
    "csharp": ".cs .csx",
    "go": ".go",
    "java": ".java",
    "javascript": ".js .mjs .cjs .jsx .es6",
    "kotlin": ".kt .kts",
    "php": ".php .phtml .php5",
    "python": ".py .pyi .pyw .pyx",
    "ruby": ".rb .rake .gemspec .ru",
    "rust": ".rs",
    "scala": ".scala .sc .sbt",
    "swift": ".swift",
    "tsx": ".tsx",
    "typescript": ".ts .mts .cts",
    # Read as code, though nothing here knows their grammar.
    "ada": ".ada .adb .ads",
    "assembly": ".asm .s",
    "clojure": ".clj .cljs .cljc .edn",
    "cmake": ".cmake",
    "cobol": ".cob .cbl",
    "crystal": ".cr",
    "d": ".d",
    "dart": ".dart",
    "elixir": ".ex .exs",
    "elm": ".elm",
    "erlang": ".erl .hrl",
    "fish": ".fish",
    "fortran": ".f .f90 .f95 .f03 .for",
    "fsharp": ".fs .fsi .fsx",
    "glsl": ".glsl .vert .frag .wgsl .metal .hlsl",
    "graphql": ".graphql .gql",
    "groovy": ".groovy .gradle",
    "hack": ".hack",
    "haskell": ".hs .lhs",
    "julia": ".jl",
    "lisp": ".lisp .cl .el .scm .rkt .ss",
    "lua": ".lua",
    "nim": ".nim",
    "nix": ".nix",
    "objective-c": ".m .mm",
    "ocaml": ".ml .mli",
    "pascal": ".pas .pp .dpr",
    "perl": ".pl .pm",
    "powershell": ".ps1 .psm1",
    "prolog": ".pro",
    "protobuf": ".proto",
    "r": ".r",
    "solidity": ".sol",
    "sql": ".sql",
    "svelte": ".svelte",
    "tcl": ".tcl",
    "terraform": ".tf .hcl",
    "thrift": ".thrift",
    "verilog": ".v .sv .svh",
    "vhdl": ".vhd .vhdl",
    "visual-basic": ".vb .bas",
    "vue": ".vue",
    "zig": ".zig",
}
_LANGUAGE_OF = {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}

_NAMES = {
    "makefile": "make",
    "gnumakefile": "make",
    "dockerfile": "docker",
    "containerfile": "docker",
    "jenkinsfile": "groovy",
    "cmakelists.txt": "cmake",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "vagrantfile": "ruby",
    "podfile": "ruby",
    "pkgbuild": "bash",
    ".bashrc": "bash",
    ".profile": "bash",
    ".zshrc": "bash",
}
"""Files that are known by their whole name."""

_PROGRAMS = {
    "sh": "bash",
    "bash": "bash",
    "zsh": "bash",
    "ksh": "bash",
    "dash": "bash",
    "python": "python",
    "pypy": "python",
    "ruby": "ruby",
    "node": "javascript",
    "nodejs": "javascript",
    "bun": "typescript",
    "deno": "typescript",
    "php": "php",
    "scala": "scala",
    "swift": "swift",
    "kotlin": "kotlin",
    "perl": "perl",
    "lua": "lua",
    "rscript": "r",
    "julia": "julia",
    "fish": "fish",
    "tclsh": "tcl",
    "pwsh": "powershell",
}
"""What a script's first line calls → its language."""

_CALL = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*(?:\S*/)?)?([A-Za-z]+)")


def language_of(path: str, first_line: str = "") -> str:
    """Name of the language, such as ``python``; empty for what is no source code.

    Args:
        path: The file's path or name; only its last part counts.
        first_line: The file's first line, where a script names the program that runs it.
    """
    name = path.rpartition("/")[2].lower()
    known = _NAMES.get(name)
    if known is None and "." in name:
        known = _LANGUAGE_OF.get(name[name.rindex(".") :])
    if known is None and (call := _CALL.match(first_line[:200])):
        known = _PROGRAMS.get(call[1].lower())
    return known or ""
