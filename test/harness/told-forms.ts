import { Buffer } from "node:buffer";

/** A secret in the forms in which somebody may tell it; written without the code that looks for them. */
export function toldForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString("base64").replace(/=+$/, "").slice(0, -1),
    bytes.toString("base64url").slice(0, -1),
    bytes.toString("hex"),
    Array.from(secret).toReversed().join(""),
  ];
}

/** Those forms of any of them that the text holds, whatever white space is in it. */
export function formsIn(text: string, secrets: readonly string[]): readonly string[] {
  const bare = text.replace(/\s|\\n/g, "");
  return secrets.flatMap(toldForms).filter((form) => bare.includes(form.replace(/\s/g, "")));
}
