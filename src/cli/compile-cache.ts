import { accessSync, constants, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/**
 * Where compiled code is kept between two commands: in the clone, or else in the home directory, whichever is this user's own and
 * can be written. What another user owns is left alone: they could not remove our files, and we would run what they put there, as
 * in a folder of all users (/tmp). Undefined: nowhere. NODE_COMPILE_CACHE names another place, NODE_DISABLE_COMPILE_CACHE none.
 */
export function cachePlace(root: string, home: string, uid: number | undefined): string | undefined {
  const own = [join(root, "node_modules"), home].find((place) => isOwn(place, uid));
  return own && join(own, ".cache", "afara");
}

function isOwn(place: string, uid: number | undefined): boolean {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return statSync(place).uid === uid;
  } catch {
    return false;
  }
}

/** Called before the command line is imported. Without a cache everything works, half a second slower. */
export function keepCompiled(...where: Parameters<typeof cachePlace>): void {
  const place = cachePlace(...where);
  if (place !== undefined) enableCompileCache(place);
}
