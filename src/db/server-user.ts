import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The unprivileged user that the embedded server runs as when the gateway runs as root (PostgreSQL refuses root). */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const NAMES = ["afara", "postgres"] as const;

/**
 * Undefined when the gateway itself is unprivileged. As root: an existing `afara` or `postgres`, else a new system user
 * `afara`, else (a minimal image without useradd) `nobody`.
 */
export async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of NAMES) {
    const user = await lookUp(name);
    if (user) return user;
  }
  try {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "afara"]);
  } catch {
    // No useradd here, or no right to use it: `nobody` exists everywhere.
  }
  const user = (await lookUp("afara")) ?? (await lookUp("nobody"));
  if (!user)
    throw new Error(
      "PostgreSQL does not run as root and no other user could be found or made. Start Afara as a plain user.",
    );
  return user;
}

async function lookUp(name: string): Promise<ServerUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
