import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const at = (file: string) => JSON.stringify(join(root, 'packages', file))

/** The parts of the handlers below, and what most of them return. */
const preamble = `
import { routes } from ${at('api/src/index.ts')}
import { on } from ${at('server/src/http/handler.ts')}
import { type Failure, failure } from ${at('server/src/runtime/failure.ts')}
const login = { token: 't', user_identity_id: 'u', email: 'e' }
export { failure, login, on, routes }
export type { Failure }
`

/** Handlers by guarantee; each compiles (no pattern), or is refused with a message that matches. */
const handlers: [guarantee: string, code: string, refused?: RegExp][] = [
  [
    'a right output and a declared failure compile',
    `on(routes.verifyEmailOtp, async ({ body }) => {
      if (body.code === '000000') return failure('invalid_code', { detail: { why: body.email } })
      return login
    })`,
  ],
  [
    'errors of lane and method are declared',
    `on(routes.identify, async () => { return failure('token_revoked') })`,
  ],
  [
    'a literal of an enumeration needs no annotation',
    `on(routes.ready, async () => {
      if (process.pid === 0) return failure('unavailable')
      return { status: 'ready', components: { kms: { status: 'up' } } }
    })`,
  ],
  ['a route without data returns nothing', 'on(routes.logout, async () => undefined)'],
  [
    'a use case that returns declared failures can be called',
    `const verify = async (): Promise<typeof login | Failure<'invalid_code' | 'auth_mode_mismatch'>> => failure('invalid_code')
     on(routes.verifyEmailOtp, () => verify())`,
  ],
  [
    'the body is typed by its schema',
    `on(routes.sign, async ({ body }) => {
      const id: string = body.wallet_id
      if (body.type === 'hash') return failure('invalid_payload', { detail: { id, hash: body.hash } })
      return failure('wallet_not_found')
    })`,
  ],
  [
    'an undeclared failure is refused',
    `on(routes.verifyEmailOtp, async () => { return failure('wallet_exists') })`,
    /"wallet_exists"/,
  ],
  [
    'an error of another lane is refused',
    `on(routes.getWallet, async () => { return failure('token_revoked') })`,
    /"token_revoked"/,
  ],
  [
    'a scope error on a route that reads is refused',
    `on(routes.getWallet, async () => { return failure('insufficient_scope') })`,
    /"insufficient_scope"/,
  ],
  [
    'an unknown code is refused',
    `on(routes.identify, async () => { return failure('no_such_code') })`,
    /"no_such_code"' is not assignable to parameter/,
  ],
  [
    'a use case that may return an undeclared failure is refused',
    `const create = async (): Promise<typeof login | Failure<'invalid_code' | 'wallet_exists'>> => login
     on(routes.verifyEmailOtp, () => create())`,
    /wallet_exists/,
  ],
  [
    'a missing field of the output is refused',
    `on(routes.verifyEmailOtp, async () => ({ token: 't', email: 'e' }))`,
    /user_identity_id/,
  ],
  [
    'a field of the wrong type in the output is refused',
    'on(routes.verifyEmailOtp, async () => ({ ...login, token: 1 }))',
    /'number' is not assignable to type 'string'/,
  ],
  ['an output where none is declared is refused', 'on(routes.logout, async () => login)', /undefined/],
  [
    'no output where one is declared is refused',
    'on(routes.verifyEmailOtp, async () => undefined)',
    /undefined/,
  ],
  [
    'a value outside an enumeration is refused',
    `on(routes.health, async () => ({ status: 'fine' }))`,
    /"fine"' is not assignable/,
  ],
  [
    'a body field that does not exist is refused',
    `on(routes.startEmailOtp, async ({ body }) => { console.log(body.code) })`,
    /'code' does not exist/,
  ],
  [
    'parameters of a route without any are refused',
    `on(routes.listMyWallets, async ({ params }) => { params.walletID; return [] })`,
    /'params' is possibly 'undefined'|does not exist/,
  ],
]

const folder = mkdtempSync(join(tmpdir(), 'typing-'))
const diagnostics = new Map<number, string>()

beforeAll(() => {
  const compilerOptions = {
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
  )
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'preamble.ts'), preamble)
  for (const [index, [, code]] of handlers.entries()) {
    const imports =
      "import { failure, login, on, routes, type Failure } from './preamble.ts'\nexport const used: [typeof login, typeof failure, Failure?] = [login, failure]\n"
    writeFileSync(join(folder, `case-${index}.ts`), `${imports}${code}\n`)
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  let current = -1
  for (const line of stdout.split('\n')) {
    const start = /case-(\d+)\.ts\(\d+,\d+\): error/.exec(line)
    if (start) current = Number(start[1])
    else if (/^\S.*error TS/.test(line)) current = -1
    diagnostics.set(current, `${diagnostics.get(current) ?? ''}${line}\n`)
  }
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('nothing but the cases is refused', () => {
  expect((diagnostics.get(-1) ?? '').trim()).toBe('')
})

test.each(handlers.map(([guarantee, , refused], index) => ({ guarantee, index, refused })))(
  'the compiler: $guarantee',
  ({ index, refused }) => {
    const found = diagnostics.get(index) ?? ''
    if (refused) expect(found).toMatch(refused)
    else expect(found).toBe('')
  },
)
