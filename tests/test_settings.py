import shlex
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest

from lens_tui.errors import SettingsError
from lens_tui.options import STRATEGY_NAMES, ChunkOptions
from lens_tui.settings import DEFAULTS, SPECS, Settings, config_dir, line_of, load_settings, made_of, set_keys, value_of
from tests.conftest import Home


def load(home: Home, toml: str = "", flags: Mapping[str, object] | None = None, **environment: str) -> Settings:
    (home.config / "settings.toml").write_text(toml, "utf-8")
    return load_settings(flags, environment={"LENS_TUI_CONFIG_DIR": str(home.config), **environment})


def refused(home: Home, toml: str = "", flags: Mapping[str, object] | None = None, **environment: str) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        load(home, toml, flags, **environment)
    assert caught.value.exit_code == 2
    assert caught.value.hint
    return caught.value


def test_every_field_has_a_key_and_says_what_it_does() -> None:
    assert {spec.place[0] for spec in SPECS.values()} == {field.name for field in fields(Settings)}
    assert {spec.place[1] for spec in SPECS.values() if len(spec.place) == 2} == {
        field.name for field in fields(ChunkOptions)
    }
    assert [key for key, spec in SPECS.items() if not spec.key.about or spec.key.name != key] == []


def test_every_default_is_within_its_own_bounds(home: Home) -> None:
    flags = {key: value_of(DEFAULTS, key) for key in SPECS}
    assert load(home, flags=flags) == DEFAULTS


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(environment={"LENS_TUI_CONFIG_DIR": str(tmp_path / "none")}) == DEFAULTS
    (tmp_path / "file").write_text("", "utf-8")
    assert load_settings(environment={"LENS_TUI_CONFIG_DIR": str(tmp_path / "file")}) == DEFAULTS


def test_tables_and_dotted_keys_name_the_same_settings(home: Home) -> None:
    table = load(home, '[ollama]\nhost = "a:1"\ntemperature = 1\n[search]\ndefault_k = 5\n')
    dotted = load(home, 'ollama.host = "a:1"\nollama.temperature = 1.0\nsearch = { default_k = 5 }\n')
    assert table == dotted
    assert (table.ollama_host, table.ollama_temperature, table.search_default_k) == ("a:1", 1.0, 5)


@pytest.mark.parametrize("key", sorted(key for key, spec in SPECS.items() if spec.kind is not dict))
def test_the_example_beside_a_value_of_the_wrong_type_is_taken(home: Home, key: str) -> None:
    example = refused(home, f"{key} = [[1]]\n").hint.partition("such as: ")[2]
    assert value_of(load(home, f"{example}\n"), key)


@pytest.mark.parametrize("key", ["chunk.levels", "chunk.depth", "chunk.threshold", "chunk.inherit", "search.default_k"])
def test_the_example_beside_a_variable_of_the_wrong_type_is_taken(home: Home, key: str) -> None:
    variable = SPECS[key].key.variable
    error = refused(home, "", None, **{variable: "a b"})
    name, _, example = shlex.split(error.hint.partition("such as: ")[2])[0].partition("=")
    assert name == variable
    assert value_of(load(home, "", None, **{name: example}), key)


def test_keys_are_kept_by_their_id_however_they_are_nested(home: Home) -> None:
    wanted = {"cite.next": "n,f8", "app.quit": "ctrl+q"}
    assert load(home, '[keys]\n"cite.next" = "n,f8"\napp.quit = "ctrl+q"\n').keys == wanted
    assert load(home, 'keys.cite.next = "n,f8"\nkeys.app.quit = "ctrl+q"\n').keys == wanted


def test_a_flag_beats_the_environment_that_beats_the_folder_that_beats_the_file(home: Home) -> None:
    (home.config / "settings.toml").write_text('model = "file"\n', "utf-8")
    environment = {"LENS_TUI_CONFIG_DIR": str(home.config)}
    choices = {"model": "folder"}
    named = {**environment, "LENS_TUI_MODEL": "variable"}
    assert load_settings(environment=environment).model == "file"
    assert load_settings(environment=environment, folder_choices=choices).model == "folder"
    assert load_settings(environment=named, folder_choices=choices).model == "variable"
    assert load_settings({"model": "flag"}, environment=named, folder_choices=choices).model == "flag"
    assert load_settings({"model": None}, environment=named).model == "variable"


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("LENS_TUI_OLLAMA_HOST", ":1234", "ollama.host", ":1234"),
        ("LENS_TUI_SEARCH_DEFAULT_K", "7", "search.default_k", 7),
        ("LENS_TUI_OLLAMA_TEMPERATURE", "1", "ollama.temperature", 1.0),
        ("LENS_TUI_MOUSE", "No", "mouse", False),
        ("LENS_TUI_FILES_HIDDEN", "1", "files.hidden", True),
        ("LENS_TUI_FILES_EXCLUDE", "*.log:drafts/", "files.exclude", ("*.log", "drafts/")),
        ("LENS_TUI_SEARCH_DEFAULT_K", "", "search.default_k", 10),
        ("LENS_TUI_CHUNK_STRATEGY", "fixed", "chunk.strategy", "fixed"),
        ("LENS_TUI_CHUNK_SIZE", "300", "chunk.size", 300),
        ("LENS_TUI_CHUNK_OVERLAP", "20%", "chunk.overlap", "20%"),
        ("LENS_TUI_CHUNK_THRESHOLD", ".5", "chunk.threshold", 0.5),
        ("LENS_TUI_CHUNK_DELIMITERS", ". ! 。", "chunk.delimiters", (".", "!", "。")),
        ("LENS_TUI_CHUNK_LEVELS", "1, 3", "chunk.levels", (1, 3)),
        ("LENS_TUI_CHUNK_INHERIT", "off", "chunk.inherit", False),
    ],
)
def test_a_variable_is_read_in_its_keys_type(home: Home, variable: str, text: str, key: str, value: object) -> None:
    assert value_of(load(home, "", None, **{variable: text}), key) == value


def test_an_unknown_key_names_file_line_key_and_the_nearest_one(home: Home) -> None:
    error = refused(home, '# mine\nmodel = "x"\n\n[ollama]\nhots = "y"\n')
    assert str(home.config / "settings.toml") in error.message
    assert "line 5" in error.message
    assert "'ollama.hots'" in error.message
    assert error.hint == "The nearest known key is ollama.host."


def test_a_key_unlike_any_other_gets_the_list(home: Home) -> None:
    assert "search.default_k" in refused(home, "zzzzzzzzzz = 1\n").hint


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("model = 5", "model must be text, not 5"),
        ("mouse = 1", "mouse must be true or false"),
        ("[search]\ndefault_k = 1.5", "search.default_k must be a whole number"),
        ("[search]\ndefault_k = true", "search.default_k must be a whole number"),
        ("ollama.temperature = true", "ollama.temperature must be a number"),
        ("ollama.temperature = nan", "it must be from 0 to 2"),
        ("files.exclude = 'x'", "files.exclude must be a list of text"),
        ("files.exclude = [1]", "files.exclude must be a list of text"),
        ("keys = 'x'", "keys must be a table of text"),
        ("keys.app.quit = 1", "keys must be a table of text"),
        ("model = {}", "model must be text"),
        ("ollama = 1", "there is no setting 'ollama'"),
        ("search.default_k = 51", "it must be from 1 to 50"),
        ("search.max_k = 0", "it must be from 1 to 50"),
        ("files.max_bytes = 0", "it must be at least 1"),
        ("signs = 'emoji'", "it is one of unicode, ascii, auto"),
        ("search.retriever = 'lexcal'", "it is one of lexical, vector, hybrid"),
        ("chunk.size = 9000", "it must be from 1 to 8192"),
        ("chunk.size = '220'", "chunk.size must be a whole number"),
        ("chunk.threshold = 1.5", "it must be from 0 to 1"),
        ("chunk.overlap = 1.5", "chunk.overlap must be text"),
        ("chunk.levels = [1, 7]", "chunk.levels is 7; it must be from 1 to 6"),
        ("chunk.levels = ['h1']", "chunk.levels must be a list of whole numbers"),
        ("chunk.inherit = 'yes'", "chunk.inherit must be true or false"),
        ("chunk.strategy = 'paragrap'", f"it is one of {', '.join(STRATEGY_NAMES)}"),
        ("chunk.sise = 5", "there is no setting 'chunk.sise'"),
        ("search.max_k = 5", "is above search.max_k"),
        ('model = "a\\u0000b"', "zero byte"),
        ("model = ", "is not TOML"),
        ("x = " + "[" * 5000, "TOML"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_in_words(home: Home, toml: str, expected: str) -> None:
    message = refused(home, toml).message
    assert expected.replace("TOML", "") in message
    assert message.endswith(".")


def test_a_near_value_is_offered(home: Home) -> None:
    assert refused(home, "signs = 'unicod'").hint == "Did you mean unicode?"


def test_a_wrong_variable_or_flag_names_its_source(home: Home) -> None:
    assert refused(home, LENS_TUI_SEARCH_MAX_K="many").message.startswith("LENS_TUI_SEARCH_MAX_K: ")
    assert refused(home, LENS_TUI_MOUSE="maybe").message.startswith("LENS_TUI_MOUSE: ")
    assert refused(home, flags={"theme": 1}).message.startswith("The command line: ")


def test_a_file_that_is_not_utf_8_names_the_line(home: Home) -> None:
    (home.config / "settings.toml").write_bytes(b'model = "x"\ntheme = "\xff"\n')
    with pytest.raises(SettingsError, match="line 2: this is not UTF-8"):
        load_settings(environment={"LENS_TUI_CONFIG_DIR": str(home.config)})


def test_a_byte_order_mark_does_no_harm(home: Home) -> None:
    (home.config / "settings.toml").write_bytes(b'\xef\xbb\xbfmodel = "x"\r\n')
    assert load_settings(environment={"LENS_TUI_CONFIG_DIR": str(home.config)}).model == "x"


def test_a_folder_in_the_files_place_is_told(home: Home) -> None:
    (home.config / "settings.toml").mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(environment={"LENS_TUI_CONFIG_DIR": str(home.config)})


@pytest.mark.parametrize(
    ("key", "line"),
    [("a", 1), ("b.c", 4), ("b.d.e", 6), ("f.g", 7), ("h", 9), ("i.j", 10), ("nowhere", 1), ("b.x", 3)],
)
def test_the_line_of_a_key_is_found(key: str, line: int) -> None:
    text = 'a = 1\n# b.c = 2\n[b]\nc = 3\n[ b . d ]\n"e" = 4\n[f]\n# none\n[h]\n[i]\n'
    assert line_of(key, text) == line


def test_the_configuration_directory_is_the_platforms_unless_it_is_named(home: Home) -> None:
    assert config_dir({"LENS_TUI_CONFIG_DIR": "/x"}) == Path("/x")
    assert config_dir({}).name == "lens-tui"


def test_the_address_in_ollama_host_serves_where_no_setting_names_one(tmp_path: Path) -> None:
    environment = {"LENS_TUI_CONFIG_DIR": str(tmp_path), "OLLAMA_HOST": "server:1"}
    assert load_settings(environment=environment).ollama_host == "server:1"
    assert load_settings({"ollama.host": "other"}, environment=environment).ollama_host == "other"
    (tmp_path / "settings.toml").write_text('ollama.host = "third"')
    assert load_settings(environment=environment).ollama_host == "third"


def test_an_overlap_may_be_a_bare_number(home: Home) -> None:
    assert load(home, "chunk.overlap = 40").chunking.overlap == "40"
    assert load(home, "chunk.overlap = '20%'").chunking.overlap == "20%"


def test_a_folders_way_to_cut_stands_alone_over_that_of_the_file(home: Home) -> None:
    (home.config / "settings.toml").write_text("chunk.size = 300\nmodel = 'm'\n", "utf-8")
    environment = {"LENS_TUI_CONFIG_DIR": str(home.config)}
    assert load_settings(environment=environment).chunking == ChunkOptions(size=300)
    folder = {"chunk.strategy": "fixed", "chunk.levels": [1]}
    settings = load_settings(environment=environment, folder_choices=folder)
    assert settings.chunking == ChunkOptions(strategy="fixed", levels=(1,))
    assert settings.model == "m"
    assert load_settings(environment=environment, folder_choices={"embedder": "e"}).chunking.size == 300


@pytest.mark.parametrize(
    "chunking",
    [
        ChunkOptions(),
        ChunkOptions(strategy="semantic", threshold=0.5, breaks=("##", "---"), overlap="20%", inherit=False),
    ],
)
def test_what_a_folder_keeps_of_its_way_to_cut_gives_it_back(home: Home, chunking: ChunkOptions) -> None:
    kept = set_keys(chunking)
    assert "chunk.strategy" in kept
    environment = {"LENS_TUI_CONFIG_DIR": str(home.config)}
    assert load_settings(environment=environment, folder_choices=kept).chunking == chunking


def test_what_an_index_is_made_of_is_never_empty() -> None:
    assert made_of(Settings()) == {"chunk.strategy": "auto"}
    set_ = Settings(embedder="e", vector="none", theme="t", chunking=ChunkOptions(size=9))
    assert made_of(set_) == {"chunk.strategy": "auto", "chunk.size": 9, "embedder": "e", "vector": "none"}
