/** On github.com and ghe.com people use another host, on an Enterprise server the root. */
export function webUrl(apiUrl: string): string {
  const url = apiUrl.replace(/\/+$/, "");
  return cloudApi.test(url) ? url.replace("//api.", "//") : url.replace(/\/api\/v3$/, "");
}

const cloudApi = /^https:\/\/api\.(github\.com|[^./]+\.ghe\.com)$/;

export function githubApiUrl({ origin, host }: URL): string {
  return isCloud(host) ? `https://api.${host}` : `${origin}/api/v3`;
}

/** Of github.com, and of enterprises whose data stays in one country, the API has a name of its own. */
function isCloud(host: string): boolean {
  return host === "github.com" || /^[^.]+\.ghe\.com$/.test(host);
}
