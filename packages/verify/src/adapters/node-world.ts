import { createReadStream, readFileSync } from 'node:fs'
import { UnreadableError, type VerifyWorld } from '../world.ts'

/** Where a program of Node writes, how a person calls it, and the installation that it belongs to. */
export type NodeOutput = Pick<VerifyWorld, 'called' | 'say' | 'print' | 'ownPlatform'>

/** The surroundings of the verifier in a process of Node: its files, network, clock and standard input. */
export function nodeWorld({ called, say, print, ownPlatform }: NodeOutput): VerifyWorld {
  return {
    called,
    say,
    print,
    ...(ownPlatform !== undefined && { ownPlatform }),
    readFile(path) {
      try {
        return readFileSync(path)
      } catch (error) {
        throw unreadable(path, error)
      }
    },
    async *readStream(path) {
      try {
        yield* path === '-' ? process.stdin : createReadStream(path)
      } catch (error) {
        throw unreadable(path === '-' ? 'The standard input' : path, error)
      }
    },
    fetch: (...call) => fetch(...call),
    nowMs: () => Date.now(),
  }
}

/** Why the system gives no file, in words; its own name their code and the system call. */
function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  if (error.code === 'ENOENT' && /^https?:\/\//i.test(path))
    return new UnreadableError(`${path} is a URL, but a file is needed here: save what it answers.`)
  if (error.code === 'ENOENT') return new UnreadableError(`There is no file ${path}.`)
  if (error.code === 'EISDIR') return new UnreadableError(`${path} is a folder, not a file.`)
  if (error.code === 'EACCES') return new UnreadableError(`${path} may not be read by this user.`)
  return new UnreadableError(`${path} cannot be read (${error.code}).`)
}
