/** Says which steps run. On a terminal one line is kept up to date; elsewhere a step has a line when it begins and ends. */
export interface Progress {
  /** A step that is aloud writes to the stream itself while it runs, so nothing else may. */
  readonly begin: (name: string, step: { readonly isAloud: boolean }) => void;
  readonly end: (name: string, text: string) => void;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const refreshMs = 250;
const eraseLine = "\r\u001B[K";

export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY === true ? createLiveProgress(stream) : createPlainProgress(stream);
}

function createPlainProgress(stream: ProgressStream): Progress {
  return {
    begin: (name) => stream.write(`${name} ...\n`),
    end: (_name, text) => stream.write(text),
  };
}

function createLiveProgress(stream: ProgressStream): Progress {
  const startedAt = new Map<string, number>();
  const draw = () => {
    const running = [...startedAt].map(([name, at]) => `${name} ${Math.floor((performance.now() - at) / 1000)} s`);
    stream.write(`${eraseLine}${running.join("   ")}`);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    begin: (name, step) => {
      if (step.isAloud) {
        stream.write(`${name} ...\n`);
        return;
      }
      startedAt.set(name, performance.now());
      timer ??= setInterval(draw, refreshMs);
      draw();
    },
    end: (name, text) => {
      startedAt.delete(name);
      stream.write(`${eraseLine}${text}`);
      if (startedAt.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    },
  };
}
