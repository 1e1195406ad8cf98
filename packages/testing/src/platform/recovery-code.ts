import { setTimeout as sleep } from 'node:timers/promises'
import { mailboxStore } from '@symbolon/dev/testing/platform'
import type { PlatformProcesses } from './platform-processes.ts'

/** The newest recovery code of an address that no earlier call has given; waits for it. */
export async function recoveryCode(
  { sql }: PlatformProcesses,
  email: string,
  processId: string,
): Promise<string> {
  const [row] = await sql<
    { at: Date }[]
  >`select created_at as at from recovery_processes where id = ${processId}`
  if (row === undefined) throw new Error('There is no such process.')
  for (let i = 0; i < 1_000; i++) {
    const mails = await mailboxStore.list(sql, email)
    const newest = mails.find(({ text }) => text.includes('recovery code is'))
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0]
    if (code !== undefined && newest !== undefined && new Date(newest.received_at) >= row.at) return code
    await sleep(10)
  }
  throw new Error(`No recovery code came to ${email}.`)
}
