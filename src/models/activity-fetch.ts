interface Ear {
  /** From here on it may cost something. */
  readonly accepted: () => void;
  readonly sound: () => void;
}

/** The packages hide signs of life and the beginning of an answer. No redirects: fetch would send the key along. */
export function fetchWithActivity(fetch: typeof globalThis.fetch, { accepted, sound }: Ear): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    sound();
    if (response.ok) accepted();
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(audible(sound)), { status, statusText, headers });
  };
}

function audible(sound: () => void): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream({
    transform: (bytes, controller) => {
      sound();
      count += bytes.byteLength;
      if (count > answerBytesMax) controller.error(new Error(`the answer has more than ${answerBytesMax} bytes`));
      else controller.enqueue(bytes);
    },
  });
}

/** The longest answers, with the frame of each few bytes, come to some 20 MB. */
const answerBytesMax = 64 * 1024 * 1024;
