import type { Git, Mirror } from "#ports/git.ts";

/** Git whose trouble with the remote is heard, so that a run that fails can say why. */
export function reportGitErrors(git: Git, onError: (error: unknown) => void): Git {
  const hear = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const heardMirror = (mirror: Mirror): Mirror => ({
    ...mirror,
    fetchRefs: async (request) => await hear(async () => await mirror.fetchRefs(request)),
    push: async (request) => await hear(async () => await mirror.push(request)),
  });
  return {
    ...git,
    ensureMirror: async (request) => heardMirror(await hear(async () => await git.ensureMirror(request))),
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : heardMirror(mirror);
    },
  };
}
