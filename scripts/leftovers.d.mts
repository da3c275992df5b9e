export function makeRunDirectory(): string;
export function findLeftovers(
  run: string,
  options?: { readonly except?: readonly string[]; readonly endMsMax?: number },
): Promise<readonly string[]>;
export function removeRun(run: string): void;
