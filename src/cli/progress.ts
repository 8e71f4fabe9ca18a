import { cutLine } from "#core/terminal/visible-text.ts";

const patienceMs = 600;

export function startProgress({
  write,
  isShown,
  columns = columnsUsual,
}: {
  readonly write: (text: string) => void;
  readonly isShown: boolean;
  readonly columns?: number | undefined;
}): { readonly tell: (words: string) => void; readonly end: () => void } {
  if (!isShown) return { tell: () => undefined, end: () => undefined };
  let words = "";
  let isWritten = false;
  const show = (): void => {
    isWritten = true;
    // Only the last line can be overwritten, so a second one would stay.
    write(`\r\u001b[K${cutLine(`${words} …`, columns - 1)}`);
  };
  const timer = setTimeout(show, patienceMs);
  return {
    tell: (next) => {
      words = next;
      if (isWritten) show();
    },
    end: () => {
      clearTimeout(timer);
      if (isWritten) write("\r\u001b[K");
    },
  };
}

const columnsUsual = 80;
