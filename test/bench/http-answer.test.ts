import { describe, expect, it } from "vitest";
import { readAnswer } from "./http-answer.ts";

const head = "HTTP/1.1 202 Accepted\r\nContent-Length: 3\r\n";

describe("an answer of HTTP", () => {
  it("is read once all of it is there", () => {
    expect(readAnswer(`${head}\r\nok\n`)).toEqual({ status: 202, isLast: false });
  });

  it.each(["", head, `${head}\r\n`, `${head}\r\nok`])("is waited for while a part of it is missing: %j", (received) => {
    expect(readAnswer(received)).toBeUndefined();
  });

  it("says when the connection ends with it", () => {
    expect(readAnswer(`${head}Connection: close\r\n\r\nok\n`)).toEqual({ status: 202, isLast: true });
  });

  it("may come in chunks", () => {
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nok\n\r\n";
    expect(readAnswer(chunked)).toBeUndefined();
    expect(readAnswer(`${chunked}0\r\n\r\n`)).toEqual({ status: 200, isLast: false });
  });
});
