import { expect, it } from "vitest";
import { isPlainUrl } from "#config/plain-url.ts";

it.each([
  "https://git.example",
  "http://127.0.0.1:3000/",
  "https://git.example:8443/below/a/path",
  "http://[::1]:3000",
  "https://bücher.example",
])("%s is the address of a server", (text) => {
  expect(isPlainUrl(text)).toBe(true);
});

it.each([
  "git.example",
  "ftp://git.example",
  "https://rita:s3cret@git.example",
  "https://rita@git.example",
  "https://git.example@evil.example",
  "https://git.example?x=1",
  "https://git.example/?",
  "https://git.example/#",
  "https://git.example /x",
  "https://git.example\n",
  "https://",
  "",
])("%j is refused as the address of a server", (text) => {
  expect(isPlainUrl(text)).toBe(false);
});
