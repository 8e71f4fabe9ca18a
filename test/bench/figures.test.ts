import { describe, expect, it } from "vitest";
import { median, quantile, short, tableLines } from "./figures.ts";

describe("figures", () => {
  it.each([
    [[], Number.NaN],
    [[3], 3],
    [[9, 1, 5], 5],
    [[10, 2, 4, 8], 6],
  ])("have a middle: %j", (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it("have a value below which a share of them lies", () => {
    const sorted = Array.from({ length: 200 }, (_, index) => index + 1);
    expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile(sorted, 1)]).toEqual([100, 198, 200]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it("are written with three digits", () => {
    const written = [0, 0.126, 1.5, 15.27, 152.7, 2430, 12_345, Number.NaN].map(short);
    expect(written).toEqual(["0.00", "0.13", "1.50", "15.3", "153", "2,430", "12,345", "–"]);
  });

  it("stand in a table, text to the left and figures to the right", () => {
    expect(tableLines(["", "per s"], [["bare", "9"]])).toEqual([
      "|      | per s |",
      "| ---- | ----: |",
      "| bare |     9 |",
    ]);
  });
});
