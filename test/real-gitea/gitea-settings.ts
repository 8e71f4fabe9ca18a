import { join } from "node:path";
import type { GiteaInstall } from "./gitea-builds.ts";

/** The file `app.ini` of a server for tests: alone on the loopback, silent, and with nothing that takes time. */
export function giteaSettings(place: {
  readonly install: GiteaInstall;
  readonly folder: string;
  readonly port: number;
  readonly user: string;
}): string {
  const { install, folder, port, user } = place;
  const url = `http://127.0.0.1:${port}/`;
  const sections: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
    "": {
      APP_NAME: "Drover's tests",
      RUN_MODE: "prod",
      RUN_USER: user,
      WORK_PATH: folder,
      I_AM_BEING_UNSAFE_RUNNING_AS_ROOT: true,
    },
    server: {
      PROTOCOL: "http",
      HTTP_ADDR: "127.0.0.1",
      HTTP_PORT: port,
      ROOT_URL: url,
      LOCAL_ROOT_URL: url,
      STATIC_ROOT_PATH: install.assets,
      APP_DATA_PATH: join(folder, "data"),
      DISABLE_SSH: true,
      LFS_START_SERVER: false,
      OFFLINE_MODE: true,
    },
    database: { DB_TYPE: "sqlite3", PATH: join(folder, "gitea.db"), SQLITE_JOURNAL_MODE: "WAL", LOG_SQL: false },
    repository: { ROOT: join(folder, "repositories"), DEFAULT_BRANCH: "main" },
    security: {
      INSTALL_LOCK: true,
      SECRET_KEY: "of-a-server-for-tests",
      INTERNAL_TOKEN: "of-a-server-for-tests-that-lives-for-minutes",
      // People log in by name all the time here, and nobody attacks them.
      PASSWORD_HASH_ALGO: "pbkdf2$1$50",
      MIN_PASSWORD_LENGTH: 1,
      // Checking a token costs ten thousand rounds of a hash, unless it was seen lately.
      SUCCESSFUL_TOKENS_CACHE_SIZE: 1_000,
    },
    oauth2: { ENABLED: false, JWT_SECRET: "b2YtYS1zZXJ2ZXItZm9yLXRlc3RzLXRoYXQtbGl2ZXM" },
    service: { DISABLE_REGISTRATION: true, ENABLE_NOTIFY_MAIL: false, ENABLE_TIMETRACKING: false },
    api: { MAX_RESPONSE_ITEMS: install.pageSizeMax, DEFAULT_PAGING_NUM: Math.min(30, install.pageSizeMax) },
    webhook: { ALLOWED_HOST_LIST: "loopback", DELIVER_TIMEOUT: 30 },
    mailer: { ENABLED: false },
    log: { MODE: "file", LEVEL: "Warn", ROOT_PATH: join(folder, "log") },
    "log.file": { FILE_NAME: "gitea.log" },
    queue: { TYPE: "channel" },
    session: { PROVIDER: "memory" },
    indexer: { ISSUE_INDEXER_TYPE: "db", REPO_INDEXER_ENABLED: false },
    picture: { DISABLE_GRAVATAR: true },
    actions: { ENABLED: false },
    packages: { ENABLED: false },
    "cron.update_checker": { ENABLED: false },
    "cron.archive_cleanup": { ENABLED: false },
    "cron.sync_external_users": { ENABLED: false },
  };
  return Object.entries(sections)
    .map(([name, entries]) => {
      const lines = Object.entries(entries).map(([key, value]) => `${key} = ${value}`);
      return [...(name === "" ? [] : [`[${name}]`]), ...lines, ""].join("\n");
    })
    .join("\n");
}
