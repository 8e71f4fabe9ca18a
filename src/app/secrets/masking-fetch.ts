import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";

type Fetch = typeof globalThis.fetch;

/** Requests to models hold no secret of the operator. The model's own key is in a header, which is left alone. */
export function maskingFetch(fetchAnswer: Fetch, secrets: SecretMasker): Fetch {
  return async (input, init) => {
    const body = init?.body;
    if (typeof body === "string") return await fetchAnswer(input, { ...init, body: maskJson(body, secrets) });
    if (body instanceof FormData) return await fetchAnswer(input, { ...init, body: await maskForm(body, secrets) });
    return await fetchAnswer(input, init);
  };
}

/** Text by text: masking across JSON could make it unreadable. */
function maskJson(text: string, secrets: SecretMasker): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return secrets.mask(text);
  }
  const masked = maskStrings(parsed, secrets);
  return masked === parsed ? text : JSON.stringify(masked);
}

async function maskForm(form: FormData, secrets: SecretMasker): Promise<FormData> {
  const masked = new FormData();
  for (const [name, value] of form.entries()) {
    if (typeof value === "string") {
      masked.append(name, secrets.mask(value));
      continue;
    }
    const lines = (await value.text()).split("\n").map((line) => maskJson(line, secrets));
    masked.append(name, new Blob([lines.join("\n")], { type: value.type }), value.name);
  }
  return masked;
}
