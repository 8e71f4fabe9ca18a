/** A browser in which somebody is logged in: for what the API of an older version does not offer. */
export interface GiteaBrowser {
  /** Sends a form of a page. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<void>;
}

export async function openBrowser(options: {
  readonly url: string;
  readonly login: string;
  readonly password: string;
}): Promise<GiteaBrowser> {
  const { url, login, password } = options;
  const cookies = new Map<string, string>();
  const ask = async (path: string, body?: URLSearchParams): Promise<Response> => {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const middle = pair.indexOf("=");
      cookies.set(pair.slice(0, middle), pair.slice(middle + 1));
    }
    return answer;
  };
  const submit = async (path: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    // Up to 1.25 a form repeats the token of its cookie; later versions look at where the request came from.
    const csrf = decodeURIComponent(cookies.get("_csrf") ?? "");
    const answer = await ask(path, new URLSearchParams({ ...fields, _csrf: csrf }));
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
  };
  await ask("/user/login");
  await submit("/user/login", { user_name: login, password });
  // The token of somebody who is logged in is another one.
  await ask("/user/settings");
  return { submit };
}
