/** People use another address than programs: on github.com and ghe.com another host, on an Enterprise server the root. */
export function webUrl(apiUrl: string): string {
  const url = apiUrl.replace(/\/+$/, "");
  return cloudApi.test(url) ? url.replace("//api.", "//") : url.replace(/\/api\/v3$/, "");
}

const cloudApi = /^https:\/\/api\.(github\.com|[^./]+\.ghe\.com)$/;
