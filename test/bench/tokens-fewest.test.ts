import * as fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens, fewestTokens } from "#core/prompt/token-estimate.ts";

function counted(text: string): number {
  return Math.min(countO200k(text), countCl100k(text));
}

const code = `=== src/orders/save.ts
@@ 12
 export async function save(order: Order): Promise<void> {
-  await store.put(order.id, order);
+  if (order.lines.length === 0) throw new OrderError("empty", { id: order.id });
+  await store.put(order.id, { ...order, savedAt: clock.now() });
 }
`;
const page = '+<li class="entry"><a href="/orders/12?sort=asc&page=2">Don\'t</a></li>\n';

describe("the fewest tokens of a text", () => {
  it.each([
    ["code", code],
    ["markup", page],
    ["lines of signs", `${"=".repeat(80)}\n// ${"-".repeat(76)}\n${"#".repeat(200)}\n`],
    ["one letter", "a".repeat(2_000)],
    ["blanks", `${" ".repeat(500)}x${"\t".repeat(100)}\n\n\n\n`],
    ["emoji", '🎉🎉🎉 done 👩‍👩‍👧 "😀" (…) “quoted” — and so on…\n'],
    ["Chinese", "订单在进程结束之前没有保存，所以会丢失。\n"],
    ["Russian", "Заказ не сохраняется, если процесс завершится здесь.\n"],
    ["French", "L'état n'est pas enregistré: qu'est-ce qu'il fallait garder?\n"],
    ["data", "eyJhbGciOiJIUzI1NiJ9.d41d8cd98f00b204e9800998ecf8427e==\n"],
    ["figures", "0.125, 1e-9, 10_000, 2026-01-02T03:04:05.678Z, 0xdeadbeef\n"],
    ["contractions", "don't we'll I'm they've it's you'd o'clock 'quoted' words'\n"],
  ])("are no more than tokenizers count: %s", (_, text) => {
    expect(fewestTokens(text)).toBeLessThanOrEqual(counted(text));
  });

  it("are no more than that, however texts are put together", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        code,
        page,
        "word",
        "Camel",
        "x",
        "12",
        " ",
        "\n",
        "\t",
        "'",
        '"',
        "(",
        ");",
        "=>",
        "…",
        "—",
        "é",
        "字",
        "😀",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        expect(fewestTokens(text)).toBeLessThanOrEqual(counted(text));
      }),
      { numRuns: 300 },
    );
  });

  it("are enough to tell half of a change from all of it", () => {
    expect(fewestTokens(code)).toBeGreaterThan(0.6 * counted(code));
    expect(fewestTokens(code)).toBeLessThan(estimateTokens(code));
  });
});
