/** A page with one button: a manifest can only be handed over by a form. */
export function manifestPage({ action, manifest }: { readonly action: string; readonly manifest: object }): string {
  return page(
    "Make a GitHub App for Drover",
    `<p>GitHub asks for a name, and shows what the App may do. Nothing is made before you agree there.</p>
<form action="${escapeHtml(action)}" method="post">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Go to GitHub</button>
</form>
<details><summary>What GitHub is asked for</summary><pre>${escapeHtml(JSON.stringify(manifest, null, 2))}</pre></details>`,
  );
}

export function madePage({ name, installUrl }: { readonly name: string; readonly installUrl: string }): string {
  return page(
    "The App is there",
    `<p>${escapeHtml(name)} is made, and its keys are in the data folder. <a href="${escapeHtml(installUrl)}">Install it</a> where Drover is to work. This page can be closed.</p>`,
  );
}

export function troublePage(why: string): string {
  return page("That did not work", `<p>${escapeHtml(why)}</p><p><a href="/">Try again</a></p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<body style="font: 16px/1.5 sans-serif; max-width: 40em; margin: 3em auto">
<h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
