import { StartConfigError } from './start-config-error.ts'

/** Codes of a disk that takes no more, or nothing at all. */
const ofDisk: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']

/** Whether an error is of a disk that takes no more, or nothing at all. */
export const isOfDisk = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ofDisk.includes(error.code)

/** Why the platform does not start, in a sentence. What the disk refuses names the data folder, which the system's own words leave out. */
export function startFault(error: unknown, dataFolder: string): string {
  if (!(error instanceof Error)) return String(error)
  if (!isOfDisk(error)) return error.message
  const [, reason = error.message] = /^\w+: ([^,]+)/.exec(error.message) ?? []
  return `The data folder ${dataFolder} cannot be written to: ${reason}.`
}

/** How a start that fails ends: 78 (EX_CONFIG of sysexits) where another try would end the same way until a setting is changed, else 1. */
export const exitCode = (error: unknown): number => (error instanceof StartConfigError ? 78 : 1)
