import { expect, test } from 'vitest'
import { type ErrorCode, errors } from './errors.ts'
import { openapi } from './openapi.ts'
import { errorsOf, type Route } from './route.ts'
import { routes } from './routes.ts'

type Node = { readonly [key: string]: unknown }

const document = openapi() as unknown as Node
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The node at a path of keys; throws where there is none. */
function at(...keys: (string | number)[]): Node {
  let node: unknown = document
  for (const key of keys) node = isNode(node) ? node[key] : undefined
  if (!isNode(node)) throw new Error(`nothing at ${keys.join(' / ')}`)
  return node
}

const operations = Object.entries<Route>(routes).map(([name, route]) => ({
  name,
  route,
  operation: at('paths', route.path, route.method.toLowerCase()),
}))
const responsesOf = (operation: Node) => Object.entries(operation['responses'] as Record<string, Node>)
const contentOf = (response: Node) => {
  const content = response['content'] as Record<string, Node> | undefined
  return content?.['application/json']?.['schema'] as Node | undefined
}

/** Every value below a key, wherever it stands. */
function everyValueOf(wanted: string, node: unknown): unknown[] {
  if (Array.isArray(node)) return node.flatMap((item) => everyValueOf(wanted, item))
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === wanted ? [value] : []),
    ...everyValueOf(wanted, value),
  ])
}

test('it is OpenAPI 3.1 of the interface version 3.0.0', () => {
  expect(document['openapi']).toMatch(/^3\.1\./)
  expect(at('info')).toMatchObject({ version: '3.0.0', title: 'Symbolon' })
})

test('it is the same text every time, and says nothing that JSON cannot', () => {
  expect(JSON.stringify(openapi())).toBe(JSON.stringify(document))
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('every reference leads to a component', () => {
  const references = new Set(everyValueOf('$ref', document) as string[])
  expect(references.size).toBeGreaterThan(30)
  for (const reference of references) {
    const [start, ...keys] = reference.split('/')
    expect(start).toBe('#')
    expect(at(...keys)).toBeDefined()
  }
})

test('every component is referred to', () => {
  const references = new Set(everyValueOf('$ref', document))
  for (const kind of ['schemas', 'headers', 'parameters']) {
    for (const name of Object.keys(at('components', kind))) {
      expect(references.has(`#/components/${kind}/${name}`), `${kind}/${name}`).toBe(true)
    }
  }
})

test('every operation has an id of its own, a summary and a tag that is explained', () => {
  const ids = operations.map(({ operation }) => operation['operationId'])
  expect(ids).toEqual(Object.keys(routes))
  const explained = document['tags'] as { name: string; 'x-displayName': string; description: string }[]
  // A title is words, not an identifier.
  for (const tag of explained)
    expect(tag['x-displayName'], tag.name).toMatch(/^[A-Z][A-Za-z0-9]*(:?[ -]\w+)*$/)
  for (const tag of explained) expect(tag['x-displayName'], tag.name).not.toMatch(/[a-z][A-Z]/)
  expect(new Set(explained.map((tag) => tag['x-displayName'])).size).toBe(explained.length)
  const tags = explained.map(({ name }) => name)
  for (const { operation } of operations) {
    expect(operation['summary']).toMatch(/^[A-Z]/)
    expect(tags).toEqual(expect.arrayContaining(operation['tags'] as string[]))
  }
})

test('every parameter of a path is declared, and no other', () => {
  for (const { route, operation } of operations) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const parameters = (operation['parameters'] ?? []) as Node[]
    const declared = parameters.filter((parameter) => parameter['in'] === 'path')
    expect(declared.map((parameter) => parameter['name'])).toEqual(inPath)
    for (const parameter of declared) expect(parameter['required']).toBe(true)
  }
})

test('every operation asks for the credential of its lane by a scheme that exists', () => {
  const schemes = Object.keys(at('components', 'securitySchemes'))
  for (const { route, operation } of operations) {
    const required = operation['security'] as Record<string, unknown>[]
    expect(required.length > 0, route.path).toBe(route.lane !== 'public')
    expect(schemes).toEqual(expect.arrayContaining(required.flatMap((one) => Object.keys(one))))
  }
})

test('every code a route can answer with is at its status, with an example in the envelope', () => {
  for (const { name, route, operation } of operations) {
    const found = responsesOf(operation).flatMap(([status, response]) =>
      ((response['x-codes'] ?? []) as ErrorCode[]).map((code) => ({
        code,
        status: Number(status),
        response,
      })),
    )
    expect(found.map(({ code }) => code).sort(), name).toEqual([...errorsOf(route)].sort())
    for (const { code, status, response } of found) {
      expect(status, `${name} ${code}`).toBe(errors[code].status)
      const examples = everyValueOf('examples', response['content'])[0] as Record<string, Node>
      const expected = { data: null, error: { code, message: errors[code].message } }
      if (code !== 'wallet_exists') expect(examples[code]?.['value']).toEqual(expected)
    }
  }
})

test('every body is the envelope, except raw answers; 204 has none', () => {
  for (const { name, route, operation } of operations) {
    for (const [status, response] of responsesOf(operation)) {
      const schema = contentOf(response)
      const isSuccess = Number(status) === route.status
      if (isSuccess && (route.data === undefined || route.stream)) expect(schema, name).toBeUndefined()
      else if (route.envelope === false && status === '200')
        expect(schema?.['required'], name).toBeUndefined()
      else expect(schema, name).toMatchObject({ required: ['data', 'error'], additionalProperties: false })
    }
  }
})

test('only wallet_exists bears data and an error', () => {
  const withBoth = operations.flatMap(({ name, operation }) =>
    responsesOf(operation)
      .filter(([status]) => Number(status) >= 400)
      .filter(([, response]) =>
        JSON.stringify(contentOf(response)?.['properties']).startsWith('{"data":{"anyOf"'),
      )
      .map(([status, response]) => [
        name,
        status,
        (response['x-codes'] as string[]).includes('wallet_exists'),
      ]),
  )
  expect(withBoth).toEqual([
    ['createWallet', '409', true],
    ['initiateKeyImport', '409', true],
    ['completeKeyImport', '409', true],
    ['createWalletFor', '409', true],
  ])
})

test('headers are documented where they are sent', () => {
  const names = (operation: string, status: number) => {
    const { route } = operations.find(({ name }) => name === operation) ?? { route: undefined }
    if (!route) throw new Error(operation)
    const path = ['paths', route.path, route.method.toLowerCase(), 'responses', status, 'headers']
    return Object.keys(at(...path))
  }
  expect(names('health', 200)).toEqual(['X-Request-Id'])
  expect(names('signMine', 429)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Remaining']))
  expect(names('sign', 503)).toContain('Retry-After')
  expect(names('createWallet', 201)).toContain('Idempotent-Replayed')
  expect(names('verifyEmailOtp', 200)).not.toContain('Idempotent-Replayed')
})

test('a request body is described field by field, closed to others', () => {
  for (const { operation, route } of operations) {
    expect('requestBody' in operation, route.path).toBe(route.body !== undefined)
  }
  expect(at('components', 'schemas', 'VerifyEmailOtp')).toMatchObject({
    type: 'object',
    required: ['email', 'code'],
    additionalProperties: false,
  })
  expect(JSON.stringify(at('components', 'schemas', 'SignRequestFor'))).toContain('"wallet_id"')
})

test('the body that creates a session is described field by field, and its calls have examples that the route accepts', () => {
  for (const schema of ['MintAgentSession', 'SendAgentTransaction'])
    for (const [name, field] of Object.entries(at('components', 'schemas', schema, 'properties')))
      expect(field, `${schema}.${name}`).toSatisfy(
        (one: Node) => typeof one['description'] === 'string' || Array.isArray(one['examples']),
      )
  const exampled = operations.filter(({ route }) => route.examples !== undefined)
  expect(exampled.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mintAgentSession', 'signAsAgent', 'sendAsAgent']),
  )
  for (const { name, route, operation } of exampled) {
    const { content } = operation['requestBody'] as { content: Record<string, Node> }
    const examples = content['application/json']?.['examples'] as Record<string, Node>
    expect(Object.values(examples).map(({ value }) => value)).toEqual(Object.values(route.examples ?? {}))
    for (const [summary, { value }] of Object.entries(examples))
      expect(route.body?.safeParse(value).success, `${name}: ${summary}`).toBe(true)
  }
})
