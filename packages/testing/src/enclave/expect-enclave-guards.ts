import { readFileSync } from 'node:fs'
import { enclaveNodeArguments } from '@symbolon/enclave'
import { expect } from 'vitest'

/** The bit of SIGUSR1 (10) in the masks of proc(5), `status`. */
const sigusr1 = 1n << 9n

/**
 * Expects the guards of an enclave of a running process, from outside: no core dumps, Node's flags, and a SIGUSR1 that opens no debugger. It
 * sends one. Linux only.
 */
export function expectEnclaveGuards(pid: number): void {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  expect(read('limits')).toMatch(/^Max core file size\s+0\s+0\s/m)
  expect(read('cmdline').split('\0')).toEqual(expect.arrayContaining([...enclaveNodeArguments]))
  expectNoDebugger(pid)
}

/** Expects that SIGUSR1 opens no debugger in a running process. It sends one. Linux only. */
export function expectNoDebugger(pid: number): void {
  const hasBit = (mask: string) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const hex = new RegExp(`^${mask}:\\s+([0-9a-f]+)$`, 'm').exec(status)?.[1]
    return (BigInt(`0x${hex}`) & sigusr1) !== 0n
  }
  expect(hasBit('SigBlk')).toBe(true)
  process.kill(pid, 'SIGUSR1')
  // It waits for ever: Node's debugger thread would have taken it.
  expect(hasBit('ShdPnd')).toBe(true)
}
