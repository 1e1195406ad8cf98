/** Codes of a disk that takes no more, or nothing at all. */
const ofDisk: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']

/** Why the platform does not start, in a sentence. What the disk refuses names the data folder, which the system's own words leave out. */
export function startFault(error: unknown, dataFolder: string): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error && ofDisk.includes(error.code))) return error.message
  const [, reason = error.message] = /^\w+: ([^,]+)/.exec(error.message) ?? []
  return `The data folder ${dataFolder} cannot be written to: ${reason}.`
}
