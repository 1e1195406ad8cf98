import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const api = fileURLToPath(new URL('./index.ts', import.meta.url))

/** How a server ties a handler to its route, and what most handlers below answer. */
const preamble = `
import { type Call, type Data, type ErrorOf, type Fail, type Route, routes } from ${JSON.stringify(api)}
const on = <const route extends Route>(route: route, handle: NoInfer<(call: Call<route>) => Promise<Data<route>>>) => ({ route, handle })
const login = { token: 't', user_identity_id: 'u', email: 'e' }
export { login, on, routes }
export type { ErrorOf, Fail }
`

/** Handlers by guarantee; each compiles (no pattern), or is refused with a message that matches. */
const handlers: [guarantee: string, code: string, refused?: RegExp][] = [
  [
    'a right output and a declared error compile',
    `on(routes.verifyEmailOtp, async ({ body, fail }) => {
      if (body.code === '000000') throw fail('invalid_code', { detail: { why: body.email } })
      return login
    })`,
  ],
  [
    'errors of lane and method are declared',
    `on(routes.identify, async ({ fail }) => { throw fail('token_revoked') })`,
  ],
  [
    'a literal of an enumeration needs no annotation',
    `on(routes.ready, async ({ fail }) => {
      if (process.pid === 0) throw fail('unavailable')
      return { status: 'ready', components: { kms: { status: 'up' } } }
    })`,
  ],
  ['a route without data returns nothing', 'on(routes.logout, async () => undefined)'],
  [
    'a use case that asks for declared errors can be called',
    `const verify = async (fail: Fail<'invalid_code' | 'auth_mode_mismatch'>) => { throw fail('invalid_code') }
     on(routes.verifyEmailOtp, ({ fail }) => verify(fail))`,
  ],
  [
    'the body is typed by its schema',
    `on(routes.sign, async ({ body, fail }) => {
      const id: string = body.wallet_id
      if (body.type === 'hash') throw fail('invalid_payload', { detail: { id, hash: body.hash } })
      throw fail('wallet_not_found')
    })`,
  ],
  [
    'an undeclared error is refused',
    `on(routes.verifyEmailOtp, async ({ fail }) => { throw fail('wallet_exists') })`,
    /"wallet_exists"' is not assignable to parameter/,
  ],
  [
    'an error of another lane is refused',
    `on(routes.getWallet, async ({ fail }) => { throw fail('token_revoked') })`,
    /"token_revoked"' is not assignable to parameter/,
  ],
  [
    'a scope error on a route that reads is refused',
    `on(routes.getWallet, async ({ fail }) => { throw fail('insufficient_scope') })`,
    /"insufficient_scope"' is not assignable to parameter/,
  ],
  [
    'an unknown code is refused',
    `on(routes.identify, async ({ fail }) => { throw fail('no_such_code') })`,
    /"no_such_code"' is not assignable to parameter/,
  ],
  [
    'a use case that may throw an undeclared error is refused',
    `const create = async (fail: Fail<'invalid_code' | 'wallet_exists'>) => { throw fail('wallet_exists') }
     on(routes.verifyEmailOtp, ({ fail }) => create(fail))`,
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
      "import { login, on, routes, type Fail } from './preamble.ts'\nexport const used: [typeof login, Fail<never>?] = [login]\n"
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
