//! `export`, `bundle` and `autograde` as their users call them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// A folder of the tests' own, empty.
fn room(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradebook").join(name);
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).expect("the tests' folder is writable");
    room
}

fn drillmark(folder: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_drillmark"));
    program.current_dir(folder);
    for name in ["GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG"] {
        program.env_remove(name);
    }
    program
}

fn ran(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program runs");
    (status.code(), String::from_utf8(stdout).expect("UTF-8"), String::from_utf8(stderr).expect("UTF-8"))
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/communication-budget").join(name)
}

/// An answer whose verdict under (d) no rule decides.
fn undecided() -> String {
    let text = fs::read_to_string(fixture("fp32-carried.md")).expect("the fixture is there");
    let (before, after) = (text.find("## d").expect("it has a part d"), text.find("## e").expect("it has a part e"));
    format!("{}## d\n\nLong or short, the traffic is what one has to look at.\n\n{}", &text[..before], &text[after..])
}

/// A class that was graded once for all tests here: two answers, a picture, and one who handed nothing in.
static CLASS: LazyLock<PathBuf> = LazyLock::new(|| {
    let room = room("class");
    let class = room.join("answers");
    fs::create_dir(&class).expect("the room is writable");
    fs::write(class.join("ada.md"), undecided()).expect("the room is writable");
    fs::copy(fixture("latency-defended.md"), class.join("bo.md")).expect("the fixture is there");
    fs::write(class.join("cy.md"), b"\x89PNG\r\n\x1a\n\0").expect("the room is writable");
    let roster = "Student,ID,SIS User ID,SIS Login ID,Email\n\"Example, Ada\",1201,u0042,ada,ada@example.org\n\"Example, Bo\",1202,u0043,bo,bo@example.org\n\"Example, Cy\",1203,u0044,cy,cy@example.org\n\"Example, Di\",1204,u0045,di,di@example.org\n";
    fs::write(room.join("roster.csv"), roster).expect("the room is writable");
    let args = ["grade", "answers", "--out", "run", "--drill", "communication-budget", "--roster", "roster.csv", "--feedback", "txt"];
    let (code, _, told) = ran(drillmark(&room).args(args));
    assert_eq!(code, Some(2), "{told}");
    room
});

fn export(args: &[&str]) -> (Option<i32>, String, String) {
    ran(drillmark(&CLASS).args(["export", "run", "--to"]).args(args))
}

#[test]
fn a_gradebook_goes_out_and_tells_whom_it_leaves_blank() {
    let header = "Student,ID,SIS User ID,SIS Login ID,Section,Drill 2 (5512)";
    let people = "\"Example, Ada\",1201,u0042,ada,S1,\n\"Example, Bo\",1202,u0043,bo,S1,\n\"Example, Di\",1204,u0045,di,S1,\n";
    fs::write(CLASS.join("canvas.csv"), format!("{header}\n    Points Possible,,,,,40\n{people}")).expect("the room is writable");
    let (code, out, told) = export(&["canvas", "--template", "canvas.csv"]);
    assert_eq!(code, Some(2), "{told}");
    assert_eq!(out.lines().next(), Some(header));
    assert!(out.contains("\"Example, Ada\",1201,u0042,ada,S1,\n") && out.contains("\"Example, Bo\",1202,u0043,bo,S1,5.5\n"), "{out}");
    for line in [
        "cy (Example, Cy): is in the run and not in the template",
        "Example, Di (di): is in the template and has no submission",
        "waits for a person, not written as a grade: ada",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    let (code, _, told) = export(&["canvas", "--template", "canvas.csv", "--out", "canvas.csv"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is the template"), "{told}");
    let (code, _, told) = export(&["csv", "--out", "run/grades.jsonl"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is a file of the run itself"), "{told}");
}

#[test]
fn a_file_a_submission_goes_into_a_new_folder_whole_or_not_at_all() {
    let out = CLASS.join("gradescope");
    let _ = fs::remove_dir_all(&out);
    let (code, said, told) = export(&["gradescope", "--out", "gradescope"]);
    assert_eq!((code, said.as_str()), (Some(2), "1 grade: gradescope\n"), "{told}");
    let mut names: Vec<String> =
        fs::read_dir(&out).expect("it is there").map(|entry| entry.expect("it is readable").file_name().display().to_string()).collect();
    names.sort();
    assert_eq!(names, ["ada", "bo", "cy"]);
    let ada: serde_json::Value = serde_json::from_slice(&fs::read(out.join("ada/results.json")).expect("it is there")).expect("JSON");
    assert_eq!(ada["tests"][0]["name"], "the bytes of the all-reduce message");
    assert!(ada["output"].as_str().is_some_and(|text| text.contains("wait for a person") && text.contains("(a) Message size")));
    let (code, _, told) = export(&["gradescope", "--out", "gradescope"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is not empty"), "{told}");
    let (code, _, told) = export(&["prairielearn"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("name a folder with `--out`"), "{told}");
    let (_, _, told) = export(&["classroom50", "--out", "nothing"]);
    assert!(told.contains("--classroom"), "{told}");
    let left: Vec<String> =
        fs::read_dir(&*CLASS).expect("it is there").map(|entry| entry.expect("it is readable").file_name().display().to_string()).collect();
    assert!(!left.iter().any(|name| name.ends_with(".part") || name == "nothing"), "{left:?}");
}

#[test]
fn a_step_of_ci_gets_its_annotations_and_its_summary() {
    let summary = CLASS.join("summary.md");
    let _ = fs::remove_file(&summary);
    let (_, log, _) = ran(drillmark(&CLASS).args(["export", "run", "--to", "github"]).env("GITHUB_STEP_SUMMARY", &summary));
    assert!(log.lines().all(|line| ["::error ", "::warning ", "::notice "].iter().any(|kind| line.starts_with(kind))), "{log}");
    assert!(log.contains("file=answers/ada.md,line=3,endLine=3,"), "{log}");
    assert!(fs::read_to_string(summary).expect("it was written").contains("| `bo` | 5.5 of 40 |"));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let target = CLASS.join("precious.csv");
    fs::write(&target, "precious").expect("the room is writable");
    for link in ["link.csv", "link"] {
        let path = CLASS.join(link);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(if link == "link" { CLASS.join("answers") } else { target.clone() }, &path).expect("links can be made");
        let (code, _, told) = export(&[if link == "link" { "gradescope" } else { "csv" }, "--out", link]);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("is a link"), "{told}");
    }
    assert_eq!(fs::read_to_string(target).expect("it is there"), "precious");
}

/// Unpacks a zip as Gradescope does, modes included.
#[cfg(unix)]
fn unpack(zip: &Path, folder: &Path) {
    use std::io::{Read, Write};
    use std::os::unix::fs::OpenOptionsExt;
    let bytes = fs::read(zip).expect("it is there");
    let archive = rawzip::ZipArchive::from_slice(&bytes).expect("it is a zip");
    for entry in archive.entries() {
        let entry = entry.expect("it is whole");
        let name = String::from_utf8(entry.file_path().as_bytes().to_vec()).expect("UTF-8");
        let found = archive.get_entry(entry.wayfinder()).expect("it is whole");
        let mut text = Vec::new();
        flate2::read::DeflateDecoder::new(found.data()).read_to_end(&mut text).expect("it is whole");
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("below")).expect("the room is writable");
        let mode = entry.mode().permissions();
        fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(path)
            .and_then(|mut file| file.write_all(&text))
            .expect("the room is writable");
    }
}

/// The layout of Gradescope's machine, in a room of our own: every kind of submission leaves a result.
#[cfg(unix)]
#[test]
fn the_autograder_always_leaves_a_result() {
    let room = room("bundle");
    let args = ["bundle", "gradescope", "--drill", "communication-budget", "--out", "autograder.zip", "--visibility", "after_published"];
    let (code, said, told) = ran(drillmark(&room).args(args));
    assert_eq!((code, said.as_str()), (Some(0), "autograder.zip: an autograder for communication-budget, 40 points\n"), "{told}");
    let (machine, source) = (room.join("autograder"), room.join("autograder/source"));
    unpack(&room.join("autograder.zip"), &source);
    let setup = fs::read_to_string(source.join("setup.sh")).expect("it is at the root");
    assert!(["apt", "curl", "wget", "pip"].iter().all(|fetches| !setup.contains(fetches)), "it installs nothing");
    let sh = |script: &str| {
        let mut command = Command::new("sh");
        ran(command.arg(source.join(script)).env("AUTOGRADER", &machine).env("AUTOGRADER_SOURCE", &source).current_dir(&room))
    };
    assert_eq!(sh("setup.sh").0, Some(0));
    let submission = machine.join("submission");
    let results = || -> serde_json::Value {
        let (code, _, _) = sh("run_autograder");
        assert_eq!(code, Some(0), "an autograder that fails is told in the result, not by its exit");
        let text = fs::read(machine.join("results/results.json")).expect("there is a result");
        let left = fs::read_dir(machine.join("results")).expect("it is there").count();
        assert_eq!(left, 1, "nothing half done is left");
        serde_json::from_slice(&text).expect("JSON")
    };
    let hand_in = |files: &[(&str, &[u8])]| {
        let _ = fs::remove_dir_all(&submission);
        fs::create_dir_all(&submission).expect("the room is writable");
        for (name, text) in files {
            let path = submission.join(name);
            fs::create_dir_all(path.parent().expect("below")).expect("the room is writable");
            fs::write(path, text).expect("the room is writable");
        }
    };
    // No folder at all, and nothing in it.
    assert_eq!(results()["score"], 0);
    hand_in(&[]);
    assert!(results()["output"].as_str().is_some_and(|text| text.contains("there is no file")));
    // An answer, late, with metadata.
    let answer = undecided();
    hand_in(&[("drill.md", answer.as_bytes())]);
    let metadata = r#"{"created_at": "2026-09-03T10:00:00-07:00", "assignment": {"due_date": "2026-09-02T23:59:00-07:00", "total_points": "6.0"},
        "users": [{"name": "Ada Example"}], "previous_submissions": [{"score": "3.0"}]}"#;
    fs::write(machine.join("submission_metadata.json"), metadata).expect("the room is writable");
    let graded = results();
    assert_eq!(
        (&graded["score"], &graded["visibility"], &graded["stdout_visibility"]),
        (&34.into(), &"after_published".into(), &"hidden".into())
    );
    assert_eq!(
        (&graded["extra_data"]["drillmark"]["late"], &graded["extra_data"]["drillmark"]["pending"][0]),
        (&true.into(), &"d.overlap".into())
    );
    assert!(sh("run_autograder").2.contains("--points 6"), "staff are told that the assignment is on another scale");
    // The same again, as a resubmission: the result is replaced, and the same.
    assert_eq!(results(), graded);
    // Several files of one kind are one answer.
    hand_in(&[
        ("part1.md", b"(a) S = 2.6 GB = 2479.6 MiB"),
        ("part2.md", b"(b) latency term 1.24 ms, bandwidth term 201.5 ms"),
        (".DS_Store", b"x"),
    ]);
    assert_eq!(results()["tests"][0]["status"], "passed");
    assert_eq!(results()["tests"][2]["status"], "passed");
    // What cannot be read, and what tries to be something else.
    hand_in(&[("drill.md", b"\x89PNG\r\n\x1a\n\0")]);
    assert!(results()["output"].as_str().is_some_and(|text| text.contains("not text")));
    hand_in(&[("results.json", b"{\"score\": 40}"), ("a.md", b"x"), ("b.tex", b"y")]);
    assert_eq!(results()["score"], 0);
    hand_in(&[]);
    std::os::unix::fs::symlink("/etc/passwd", submission.join("drill.md")).expect("links can be made");
    assert_eq!(results()["score"], 0);
    // A program that does not run at all, and a drill that is broken.
    hand_in(&[("drill.md", answer.as_bytes())]);
    fs::write(source.join("library/drills/communication-budget.toml"), "format = 7").expect("the room is writable");
    assert!(results()["output"].as_str().is_some_and(|text| text.contains("not set up rightly")));
    fs::write(source.join("drillmark"), "#!/bin/sh\nkill -9 $$\n").expect("the room is writable");
    let failed = results();
    assert_eq!((&failed["score"], failed["tests"].as_array().map(Vec::len)), (&0.into(), Some(0)));
    assert_ne!(sh("setup.sh").0, Some(0), "that it does not run is seen when the image is built");
}
