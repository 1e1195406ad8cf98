import { createReadStream, readFileSync } from 'node:fs'
import type { VerifyWorld } from '../world.ts'

/** Where a program of Node writes, and how a person calls it. */
export type NodeOutput = Pick<VerifyWorld, 'called' | 'say' | 'print'>

/** The surroundings of the verifier in a process of Node: its files, network, clock and standard input. */
export function nodeWorld({ called, say, print }: NodeOutput): VerifyWorld {
  return {
    called,
    say,
    print,
    readFile: (path) => readFileSync(path),
    readStream: (path) => (path === '-' ? process.stdin : createReadStream(path)),
    fetch: (...call) => fetch(...call),
    nowMs: () => Date.now(),
  }
}
