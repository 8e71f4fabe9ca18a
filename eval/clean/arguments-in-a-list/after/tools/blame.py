import subprocess


def author_of(path, line):
    command = ["git", "blame", "--porcelain", f"-L{int(line)},{int(line)}", "--", path]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    for row in result.stdout.splitlines():
        if row.startswith("author "):
            return row.removeprefix("author ")
    return None
