import { type ChildProcess, spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiKey, frame, frameSplitter } from '@symbolon/crypto/node'
import { simulatedChain, simulatedDocument, simulatedRoot } from '@symbolon/dev/testing/attestation'
import { isAlive } from '@symbolon/dev/testing/postgres'
import { type AttestationRequest, nsmBridge } from '@symbolon/enclave'
import { enclaveSocket, nitroPolicy, simulatedPolicy } from '@symbolon/server/testing/adapters'
import {
  expectEnclaveGuards,
  expectedMeasurements,
  loadNoMarks,
  makeTestRing,
  operatorOf,
} from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { decode, encode } from 'cborg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-production-'))
const nsmPath = join(folder, 'nsm.sock')
const root = simulatedRoot(Date.now())
const chain = simulatedChain(root, Date.now())
const environment = {
  ENCLAVE_SOCKET: join(folder, 'e.sock'),
  ENCLAVE_KEY_FILE: join(folder, 'key'),
  ENCLAVE_NSM_SOCKET: nsmPath,
}
let bridge: Server
let apiKey: ApiKey
let operator: KeyObject
let enclave: Running
let answer = (request: AttestationRequest): unknown => ({
  Attestation: { document: simulatedDocument(request, { chain, nowMs: Date.now() }) },
})

/** The program as `npm run start:enclave` runs it, and what it writes. */
type Running = { child: ChildProcess; stdout: string; stderr: string }

function run(env: Record<string, string>, stdin: 'ignore' | 'pipe' = 'ignore'): Running {
  const child = spawn(process.execPath, ['scripts/run.ts', 'enclave'], {
    env,
    stdio: [stdin, 'pipe', 'pipe'],
  })
  const running: Running = { child, stdout: '', stderr: '' }
  child.stdout?.on('data', (text) => {
    running.stdout += text
  })
  child.stderr?.on('data', (text) => {
    running.stderr += text
  })
  return running
}

/** Its exit code and its words on standard error. */
async function endOf(running: Running): Promise<[unknown, string]> {
  const [code] = await once(running.child, 'close')
  return [code, running.stderr]
}

const hasRing = ({ stdout }: Running) => stdout.includes('"event":"ring opened"')

beforeAll(async () => {
  bridge = createServer((socket) => {
    const frames = frameSplitter()
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      frames.push(chunk)
      const request = frames.next()
      if (request === undefined) return
      const { Attestation: asked } = decode(request) as { Attestation: Record<string, Uint8Array> }
      const { public_key: publicKey, nonce, user_data: userData } = asked
      if (publicKey && nonce && userData) socket.end(frame(encode(answer({ publicKey, nonce, userData }))))
    })
  })
  await new Promise<void>((resolve) => bridge.listen(nsmPath, resolve))
  ;({ apiKey, operator } = makeTestRing(join(folder, 'key')))
  enclave = run({ ...environment, NODE_OPTIONS: '--inspect=127.0.0.1:0' }, 'pipe')
  await until(() => hasRing(enclave))
})

afterAll(async () => {
  enclave.child.kill('SIGKILL')
  await new Promise((resolve) => bridge.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

test('the production entry serves with the documents of the module behind its bridge', async () => {
  const client = enclaveSocket({
    path: environment.ENCLAVE_SOCKET,
    policy: simulatedPolicy(root.certificate, [expectedMeasurements]),
    apiKey,
    loadMarks: loadNoMarks,
  })
  expect(await client.status()).toMatchObject({ phase: 'serving', keyVersionA: 1, simulated: true })
  await client.close()
})

test('the production policy refuses it all the same while the module is simulated', async () => {
  const client = enclaveSocket({
    path: environment.ENCLAVE_SOCKET,
    policy: nitroPolicy([expectedMeasurements]),
    apiKey,
    loadMarks: loadNoMarks,
  })
  await expect(client.status()).rejects.toMatchObject({ code: 'unavailable' })
  await client.close()
})

test('the production entry starts itself again with its guards, once and by the same process id', async () => {
  expectEnclaveGuards(enclave.child.pid ?? 0)
  expect(enclave.stdout.match(/"event":"started again"/g)).toHaveLength(1)
  for (const line of enclave.stdout.trimEnd().split('\n'))
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      component: 'enclave',
      event: expect.any(String),
    })
  const names = readFileSync(`/proc/${enclave.child.pid}/environ`, 'utf8').split('\0')
  expect(names.filter((name) => name !== '' && !/^(ENCLAVE_|PWD=)/.test(name))).toEqual([])
})

test('a program whose guards are missing after its second start serves nothing', async () => {
  const child = spawn(process.execPath, ['packages/enclave/src/main.ts', '--guarded'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(said).toMatch(
    /^symbolon: This process cannot get the guards of an enclave: --disable-proto=throw, [^\n]+\n$/,
  )
})

test('the end of standard input and of its parent ends nothing, and SIGTERM ends the enclave with 0', async () => {
  enclave.child.stdin?.end()
  const script = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['scripts/run.ts', 'enclave'], { stdio: ['pipe', 'pipe', 'pipe'] })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      if (said.includes('"event":"ring opened"')) console.log(child.pid)
    })`
  const socket = join(folder, 'second.sock')
  const parent = spawn(process.execPath, ['-e', script], {
    env: { ...environment, ENCLAVE_SOCKET: socket },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  process.kill(pid, 'SIGHUP')
  const client = enclaveSocket({
    path: socket,
    policy: simulatedPolicy(root.certificate, [expectedMeasurements]),
    apiKey,
    loadMarks: loadNoMarks,
  })
  // Each handshake writes to the log, whose reader is gone.
  expect(await client.status()).toMatchObject({ phase: 'serving' })
  await client.close()
  process.kill(pid, 'SIGTERM')
  await until(() => !isAlive(pid))
  expect(existsSync(socket)).toBe(false)
  const end = once(enclave.child, 'exit')
  enclave.child.kill('SIGTERM')
  expect(await end).toEqual([0, null])
})

test('a sealed enclave answers who sealed it, and ends with 1, so that the init system starts another', async () => {
  const path = join(folder, 'sealed.sock')
  const sealed = run({ ...environment, ENCLAVE_SOCKET: path })
  await until(() => hasRing(sealed))
  const policy = simulatedPolicy(root.certificate, [expectedMeasurements])
  const client = enclaveSocket({ path, policy, apiKey, loadMarks: loadNoMarks })
  const end = endOf(sealed)
  await operatorOf(client, operator).seal()
  expect(await client.status()).toMatchObject({ phase: 'sealed' })
  expect(await end).toEqual([1, ''])
  expect(sealed.stdout).toContain('"event":"sealed","reason":"ordered by an operator"')
  await client.close()
  const next = run({ ...environment, ENCLAVE_SOCKET: path })
  await until(() => hasRing(next))
  next.child.kill('SIGTERM')
  expect(await endOf(next)).toEqual([0, ''])
})

test('settings that are missing or wrong are named together and end the start with 78', async () => {
  expect(await endOf(run({}))).toEqual([
    78,
    'symbolon: ENCLAVE_KEY_FILE is missing, or ENCLAVE_ROOT with ENCLAVE_MANIFEST: where the key ring comes from.\n',
  ])
  const wrong = { ENCLAVE_ROOT: 'file:/ring.json', ENCLAVE_MANIFEST: '/manifest.json' }
  expect(await endOf(run(wrong))).toEqual([
    78,
    'symbolon: ENCLAVE_ROOT must be kms:<key arn>, quorum or peer.\n',
  ])
})

test('without a secure module the start ends with 1 and one sentence, and without its socket too', async () => {
  const absent = {
    ENCLAVE_ROOT: 'quorum',
    ENCLAVE_MANIFEST: '/manifest.json',
    ENCLAVE_NSM_SOCKET: join(folder, 'none'),
  }
  const [code, said] = await endOf(run({ ...absent, ENCLAVE_SOCKET: join(folder, 'third.sock') }))
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(
      /^symbolon: ENCLAVE_NSM_SOCKET: there is no Nitro Secure Module behind it \([^\n]+\)\.\n$/,
    ),
  ])
  expect(existsSync(join(folder, 'third.sock'))).toBe(false)
  expect(await endOf(run({ ...environment, ENCLAVE_SOCKET: '/tmp/e.sock' }))).toEqual([
    1,
    'symbolon: ENCLAVE_SOCKET cannot be listened on: its folder must be ours and of mode 0700.\n',
  ])
})

test('a module that answers with an error or not at all gives no document', async () => {
  const request = { publicKey: new Uint8Array(32), nonce: new Uint8Array(32), userData: new Uint8Array(32) }
  answer = () => ({ Error: 'InternalError' })
  await expect(nsmBridge(nsmPath).attest(request)).rejects.toThrow('it gave no document')
  await expect(nsmBridge(join(folder, 'absent')).attest(request)).rejects.toThrow('ENOENT')
})
