import { errors } from './errors.ts'
import { headers, idempotencyKey } from './openapi/headers.ts'
import { operation } from './openapi/operation.ts'
import { type JsonSchema, schemas } from './openapi/schemas.ts'
import { securitySchemes } from './openapi/security.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

/** An OpenAPI 3.1 document, as far as its readers here need to know it. */
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  /** `x-displayName` is the title of the section, which readers show. */
  tags: { name: string; 'x-displayName': string; description: string }[]
  paths: Record<string, Record<string, JsonSchema>>
  components: Record<string, JsonSchema>
  'x-errors': typeof errors
}

const tags = [
  { name: 'health', 'x-displayName': 'Health', description: 'The state of the installation.' },
  {
    name: 'attestation',
    'x-displayName': 'Attestation',
    description: 'Proof of what the enclave runs, for anybody.',
  },
  { name: 'enclave', 'x-displayName': 'Enclave', description: 'Orders from operators to the enclave.' },
  {
    name: 'jwks',
    'x-displayName': 'Platform keys',
    description: 'The public keys of the platform’s signatures.',
  },
  { name: 'auth', 'x-displayName': 'Login of end users', description: 'Log end users in and out.' },
  { name: 'wallets', 'x-displayName': 'Wallets', description: 'Create, read and archive wallets.' },
  {
    name: 'shares',
    'x-displayName': 'Key shares',
    description: 'The shares from which a browser rebuilds its key.',
  },
  { name: 'recovery', 'x-displayName': 'Recovery', description: 'Restore a key after a device is lost.' },
  {
    name: 'keyExport',
    'x-displayName': 'Key export',
    description: 'Export a private key from the trusted execution environment.',
  },
  {
    name: 'keyImport',
    'x-displayName': 'Key import',
    description: 'Import a private key into the trusted execution environment.',
  },
  {
    name: 'signing',
    'x-displayName': 'Signing',
    description: 'Sign in the trusted execution environment.',
  },
  {
    name: 'receipts',
    'x-displayName': 'Receipts',
    description: 'What the trusted execution environment signed, as it says itself.',
  },
  {
    name: 'evm',
    'x-displayName': 'EVM transactions',
    description: 'Send transactions from the wallet on EVM chains.',
  },
  {
    name: 'smartAccounts',
    'x-displayName': 'Smart accounts',
    description: 'ERC-4337 smart accounts owned by wallets.',
  },
  {
    name: 'userops',
    'x-displayName': 'User operations',
    description: 'Operations of smart accounts, with gas sponsored within a monthly budget.',
  },
  {
    name: 'agentSessions',
    'x-displayName': 'Agent sessions',
    description: 'Tokens with which agents sign within limits.',
  },
  {
    name: 'agentLane',
    'x-displayName': 'Agents: their own calls',
    description: 'What an agent can do with its token.',
  },
  { name: 'agents', 'x-displayName': 'Agents', description: 'The agents of a company, with their policies.' },
  {
    name: 'rules',
    'x-displayName': 'Rules for agents',
    description: 'Rules that apply to all agents of a company.',
  },
  {
    name: 'agentRuns',
    'x-displayName': 'Agent runs',
    description: 'What agents work on, and what they asked to sign for it.',
  },
  { name: 'agentHooks', 'x-displayName': 'Agent hooks', description: 'Outside systems that start runs.' },
  { name: 'a2a', 'x-displayName': 'A2A', description: 'Talk to an agent: cards, tasks, streams.' },
  { name: 'mcp', 'x-displayName': 'MCP', description: 'The tools of an agent, for models.' },
  { name: 'frame', 'x-displayName': 'Wallet frame', description: 'Where the wallet frame is.' },
  { name: 'chains', 'x-displayName': 'Chains', description: 'The chains and their handles.' },
  { name: 'portal', 'x-displayName': 'Portal login', description: 'Log in to the portal and out of it.' },
  { name: 'orgs', 'x-displayName': 'Companies', description: 'Companies and their settings.' },
  {
    name: 'members',
    'x-displayName': 'Members',
    description: 'The members of a company and their roles.',
  },
  {
    name: 'apiKeys',
    'x-displayName': 'API keys',
    description: 'The keys with which pages and backends call the API.',
  },
  {
    name: 'webhook',
    'x-displayName': 'Recovery webhook',
    description: 'Where recovery shares go in customer-managed recovery.',
  },
  {
    name: 'orgWallets',
    'x-displayName': 'Wallets of a company',
    description: 'The wallets of a company, for its members.',
  },
  {
    name: 'endUsers',
    'x-displayName': 'End users',
    description: 'The end users of a company, for its members.',
  },
  { name: 'usage', 'x-displayName': 'Usage', description: 'Activity per day.' },
  {
    name: 'audit',
    'x-displayName': 'Audit log',
    description: 'A tamper-evident log of every event.',
  },
]

const description = `Self-custodial wallets that organizations run themselves.

Every JSON answer is \`{data, error}\`. \`error\` is \`{code, message}\` and, where a client can act on it, \`details\`. Every answer has an \`X-Request-Id\`.
Besides what each route lists, an unknown path returns 404 \`not_found\`, a known path with another method 405 \`method_not_allowed\` with \`Allow\`.
This document is served raw, without the envelope. \`x-errors\` lists every code of the service.`

/** The OpenAPI document of the service, derived from the routes and the error catalogue; the same on every call. */
export function openapi(): OpenApiDocument {
  const steps = openapiSteps()
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Makes the document a route at a time: all of it takes a quarter of a second, which a server has other work for. */
export function* openapiSteps(): Generator<undefined, OpenApiDocument, undefined> {
  const named = schemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, named) }
    yield undefined
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Symbolon', version: '3.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      schemas: named.named(),
      parameters: { 'Idempotency-Key': idempotencyKey },
      headers,
      securitySchemes,
    },
    'x-errors': errors,
  }
}
