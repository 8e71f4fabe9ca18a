/** What a server of this machine answers; `refused` where nobody listens. */
export async function askServer(port: number, path: string): Promise<Asked> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(askMsMax) });
    return { status: answer.status, body: await answer.text() };
  } catch (error) {
    return { status: "refused", body: String(error) };
  }
}

export interface Asked {
  readonly status: number | "refused";
  readonly body: string;
}

/** Long: who answers in the end was there, however slow the machine. */
const askMsMax = 60_000;
