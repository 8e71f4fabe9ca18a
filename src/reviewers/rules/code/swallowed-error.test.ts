import { describe, expect, it } from "vitest";
import { swallowedError } from "#reviewers/rules/code/swallowed-error.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

describe("swallowed-error", () => {
  it.each([
    ["a.ts", ["try { save(); } catch (error) {}"], "1"],
    ["a.ts", ["try {", "  save();", "} catch (error) {", "}"], "3-4"],
    ["A.java", ["try { save(); } catch (IOException e) { }"], "1"],
    ["a.php", ["try { save(); } catch (Exception $e) {}"], "1"],
    ["a.py", ["try:", "    save()", "except:", "    pass"], "3-4"],
    ["a.py", ["try:", "    save()", "except Exception as error:", "    ..."], "3-4"],
    ["a.py", ["try: save()", "except BaseException: pass"], "2"],
  ])("finds a swallowed error in %s: %j", async (path, lines, place) => {
    expect(await placesOf(swallowedError, [newFile(path, ...lines)])).toEqual([place]);
  });

  it.each([
    ["a.ts", ["try { save(); } catch {}"]],
    ["a.ts", ["try { save(); } catch (_) {}"]],
    ["a.ts", ["try { save(); } catch (ignored) {}"]],
    ["a.ts", ["try { save(); } catch (error) { log(error); }"]],
    ["a.ts", ["} catch (error) {", "  // It may not be there yet.", "}"]],
    ["a.ts", ["} catch (error) { /* not there yet */ }"]],
    ["a.ts", ['const text = "catch (error) {}";']],
    ["a.test.ts", ["try { save(); } catch (error) {}"]],
    ["scripts/a.ts", ["try { save(); } catch (error) {}"]],
    ["a.py", ["try:", "    save()", "except FileNotFoundError:", "    pass"]],
    ["a.py", ["except Exception:  # the server may be gone", "    pass"]],
    ["a.py", ["except Exception:", "    log()"]],
  ])("lets %s with %j pass", async (path, lines) => {
    expect(await placesOf(swallowedError, [newFile(path, ...lines)])).toEqual([]);
  });

  it("lets one pass of which half was there before", async () => {
    expect(await placesOf(swallowedError, [changedFile("a.ts", "+} catch (error) {", " }")])).toEqual([]);
  });
});
