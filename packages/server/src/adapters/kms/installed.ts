/** A package that only some installations have is missing. The message is for the operator. */
export class PackageMissingError extends Error {
  override readonly name = 'PackageMissingError'
}

// The second one: installed, and not compiled.
const absent: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** What `load` imports; rejects with `PackageMissingError` where the package that `setting` needs is not installed or not compiled. */
export async function installed<module>(
  setting: string,
  packageName: string,
  load: () => Promise<module>,
): Promise<module> {
  try {
    return await load()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && absent.includes(error.code)
    if (!isMissing) throw error
    throw new PackageMissingError(
      `${setting} needs the package ${packageName}, which is not installed, or not compiled: see docs/guides/production.md, Key management.`,
    )
  }
}
