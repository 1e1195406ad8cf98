/** Thrown where a file cannot be read or written; the message is for the person. */
export class FileRefusal extends Error {
  override name = 'FileRefusal'
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EISDIR: 'It is a folder.',
  ENOTDIR: 'Its folder is a file.',
  EEXIST: 'The file exists already. Give --out another name.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The disk is read-only.',
}
const absent = { read: 'File not found.', write: 'Folder not found.' }

/** Reads or writes a file; a failure says in plain words why. */
export function withFile<value>(action: 'read' | 'write', path: string, run: () => value): value {
  try {
    return run()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    if (code === undefined) throw error
    const reason = code === 'ENOENT' ? absent[action] : (reasons[code] ?? `System error ${code}.`)
    throw new FileRefusal(`${shownPath(path)} cannot be ${action === 'read' ? 'read' : 'written'}. ${reason}`)
  }
}

/** A share or share file that was given in place of a file's name is not repeated. */
function shownPath(path: string): string {
  const text = path.trim()
  return text.length > 300 || text.startsWith('{') || /^[A-Za-z0-9+/=_-]{40,48}$/.test(text)
    ? 'This file'
    : path
}
