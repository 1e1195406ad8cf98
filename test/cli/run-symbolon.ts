import { execFile } from 'node:child_process'
import path from 'node:path'

const bin = path.resolve(import.meta.dirname, '../../packages/cli/bin/symbolon.js')

/** How a command ended, and what it wrote. */
export type CommandResult = { code: number; stdout: string; stderr: string }

/** Runs `symbolon <args>` as npx does, in a process of its own with this environment and nothing else of the test's. */
export function runSymbolon(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env, cwd: path.parse(bin).root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

/** The one JSON value of a command that was done; fails with its words where it was not. */
export async function resultOf(args: readonly string[], environment: Record<string, string>) {
  const { code, stdout, stderr } = await runSymbolon([...args, '--json'], environment)
  if (code !== 0 || stderr !== '') throw new Error(`symbolon ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as unknown
}
