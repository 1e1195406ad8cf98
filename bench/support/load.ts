import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoadJob, LoadResult } from './load-process.ts'

const generator = fileURLToPath(new URL('./load-process.ts', import.meta.url))

/** Runs the load generator once. */
export async function load(job: LoadJob): Promise<LoadResult> {
  const child = spawn(process.execPath, [generator], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(job))
  return JSON.parse(await text(child.stdout)) as LoadResult
}

/** A POST as the generator sends it. */
export function post(path: string, headers: Record<string, string>, body: unknown): string {
  const content = JSON.stringify(body)
  const lines = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  return `POST ${path} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`
}

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
