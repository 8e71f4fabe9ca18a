import type { Repository } from "#forges/sandbox/world.ts";
import type { Label } from "#gitea-like/extras.ts";
import { repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import type { Sight } from "#gitea-like/sight.ts";

export function labelBody(sight: Sight, { ref }: Repository, { id, name, color, description }: Label): object {
  return {
    id,
    name,
    exclusive: false,
    is_archived: false,
    color,
    description,
    url: `${repositoryUrl(sight, ref.name)}/labels/${id}`,
  };
}

/** Those that stick to a pull. */
export function labelBodies(sight: Sight, repository: Repository, names: readonly string[]): readonly object[] {
  const { labels } = sight.extras;
  return names.map((name) => labelBody(sight, repository, labels.named(repository.ref.id, name)));
}
