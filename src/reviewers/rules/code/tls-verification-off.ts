import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import type { Language } from "#reviewers/rules/language.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const tlsVerificationOff: Rule = {
  name: "tls-verification-off",
  title: "Certificates not verified",
  score: 7,
  catches:
    "Code that accepts any certificate, so that anybody on the way can read and change what is sent: `rejectUnauthorized: false`, `verify=False`, `InsecureSkipVerify: true`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `curl --insecure` and their kin, outside of tests.",
  example: "requests.get(url, verify=False)",
  scope: "written",
  applies: (file) => !file.isTest && (shapes[file.language] !== undefined || isForShell(file.language)),
  check: (file) => addedCode(file).flatMap((line) => tlsHit(file, line)),
};

const shapes: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /(?<![\w.])rejectUnauthorized\s*:\s*false\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b["'\]\s]*=\s*["']?0/,
  python:
    /^(?!\s*(?:async\s+)?def\b).*[(,]\s*verify\s*=\s*False\b|\bssl\._create_unverified_context\b|\.verify_mode\s*=\s*ssl\.CERT_NONE\s*(?:#.*)?$/,
  go: /\bInsecureSkipVerify\s*:\s*true\b/,
  rust: /\.danger_accept_invalid_certs\(\s*true\s*\)/,
  php: /\bCURLOPT_SSL_VERIFYPEER\s*(?:,|=>)\s*(?:false|0)\b/i,
  ruby: /\bOpenSSL::SSL::VERIFY_NONE\b/,
};

const shellShape =
  /\bcurl\s(?:[^|;&#]*\s)?(?:-[a-jl-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)(?:\s|$)|\bwget\s[^|;&#]*--no-check-certificate\b|\bNODE_TLS_REJECT_UNAUTHORIZED\s*[:=]\s*["']?0|\bhttp\.sslVerify[\s=]+["']?false|\bGIT_SSL_NO_VERIFY\s*[:=]\s*["']?(?:1|true)|\bstrict-ssl[\s=]+false/;

function isForShell(language: Language): boolean {
  return ["shell", "dockerfile", "makefile", "yaml"].includes(language);
}

function tlsHit(file: ChangedFile, line: Line): readonly Hit[] {
  const found = isForShell(file.language) ? shellMatch(line) : codeMatch(file, line);
  if (found === null) return [];
  const message = `${codeSpan(found.trim().slice(0, 80))} accepts any certificate: whoever sits on the way can read and change everything. Verify it; for a certificate of your own, pass its authority (\`ca\`, \`--cacert\`) instead.`;
  return [hitLine(line.number, { score: 7, message })];
}

/** The whole match must be code, but for a value in quotes. */
function codeMatch(file: ChangedFile, { text, code }: Line): string | null {
  const match = shapes[file.language]?.exec(text);
  if (match === null || match === undefined) return null;
  const word = /\w/.exec(match[0])?.index ?? 0;
  const isCode = code.charAt(match.index + word).trim() !== "" || /\[["']$/.test(code.slice(0, match.index).trimEnd());
  return isCode ? match[0].replace(/^[(,]\s*/, "") : null;
}

function shellMatch({ text }: Line): string | null {
  return /^\s*#/.test(text) ? null : (shellShape.exec(text)?.[0] ?? null);
}
