import { detectInjection } from "#core/prompt/detect-injection.ts";
import type { ChangeView } from "#ports/change-view.ts";

/** Only a tool sees the messages of the change's own commits. */
export function watchHistoryForInjection(view: ChangeView, onOrders: () => void): ChangeView {
  const { repository } = view;
  if (repository === undefined) return view;
  return {
    ...view,
    repository: {
      ...repository,
      history: async (path) => {
        const entries = await repository.history(path);
        const said = entries.flatMap(({ author, subject }) => [author, subject]);
        if (said.some((text) => detectInjection(text).places.length > 0)) onOrders();
        return entries;
      },
    },
  };
}
