interface Ear {
  /** The provider has accepted the request: from here on it may cost something. */
  readonly accepted: () => void;
  /** Something came, with any content. */
  readonly sound: () => void;
}

/**
 * A fetch of which one can hear that bytes arrive. The packages keep much of it to themselves: signs of life, the beginning
 * of an answer that only announces itself. It follows no redirects: the key would go along, since fetch takes only some
 * headers off.
 */
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

/** The longest answers, a few bytes at a time, each with its frame, come to some 20 MB. */
const answerBytesMax = 64 * 1024 * 1024;
