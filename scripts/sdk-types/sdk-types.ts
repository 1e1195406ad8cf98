import { errorsOf, type Route, routes } from '@symbolon/api'
import { openapi } from '@symbolon/api/openapi'
import type { JsonSchema } from './type-of.ts'
import { namesIn, typeOf } from './type-of.ts'

type Operation = JsonSchema & {
  parameters?: JsonSchema[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, { content?: { 'application/json': { schema: JsonSchema } } }>
}

type Entry = { route: Route } & ReturnType<typeof shapeOf>
/** The names of the schemas by file. */
type Files = Record<string, string[]>

/** The lanes by who calls; the rest is for monitors. Routes that speak another protocol have clients of their own. */
const lanes = {
  browser: ['publishable', 'wallet', 'publishable_or_secret'],
  backend: ['secret', 'secret_or_agent', 'portal_or_secret'],
  agent: ['agent'],
  portal: ['portal', 'portal_or_secret'],
} as const satisfies Record<string, readonly Route['lane'][]>

const callers = new Set<Route['lane']>(Object.values(lanes).flat())

const document = openapi()
const schemas = document.components['schemas'] as Record<string, JsonSchema>
const heading =
  '// Written by scripts/sdk-types.ts from the routes of @symbolon/api: run `npm run openapi`.\n'

/**
 * The plain types of the contract, by file: what the API answers and what it is asked (apart what only backends, agents and the
 * portal see), and every route under `METHOD /path` with its parameters, body, data and error codes. A route that streams has no data here.
 */
export function sdkTypes(): Record<string, string> {
  const entries = Object.values<Route>(routes)
    .filter(({ lane, handler }) => callers.has(lane) && handler !== 'raw')
    .map((route) => ({ route, ...shapeOf(operationOf(route)) }))
  const of = (who: keyof typeof lanes) =>
    entries.filter(({ route }) => lanes[who].some((lane) => lane === route.lane))
  const [browser, backend, agent, portal] = [of('browser'), of('backend'), of('agent'), of('portal')]
  const files: Files = { 'error-code': ['ErrorCode'] }
  const place = (prefix: string, members: Entry[]) => {
    const add = (file: string, roots: unknown) => {
      const placed = Object.values(files).flat()
      files[file] = closure(namesIn(roots)).filter((name) => !placed.includes(name))
    }
    add(
      `${prefix}answers`,
      members.map(({ data }) => data),
    )
    add(
      `${prefix}requests`,
      members.map(({ input }) => input),
    )
  }
  place('', browser)
  place('backend-', backend)
  place('agent-', agent)
  place('portal-', portal)
  return {
    ...Object.fromEntries(
      Object.entries(files).map(([file, names]) => [`${file}.ts`, schemaFile(file, files, names)]),
    ),
    'routes.ts': routesFile('Routes', 'Every route for browsers', browser, files),
    'backend-routes.ts': routesFile('BackendRoutes', 'Every route for backends', backend, files),
    'agent-routes.ts': routesFile('AgentRoutes', 'Every route for agents', agent, files),
    'portal-routes.ts': routesFile('PortalRoutes', 'Every route for the portal', portal, files),
  }
}

function operationOf({ method, path }: Route): Operation {
  return document.paths[path]?.[method.toLowerCase()] as Operation
}

function shapeOf({ parameters = [], requestBody, responses }: Operation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const envelope = success?.content?.['application/json']?.schema as
    | { properties: { data: JsonSchema } }
    | undefined
  const named = (place: string) => parameters.filter((parameter) => parameter['in'] === place)
  return {
    data: envelope?.properties.data ?? { type: 'null' },
    input: {
      params: objectOf(named('path')),
      query: objectOf(named('query')),
      body: requestBody?.content['application/json'].schema,
      isBodyRequired: requestBody?.required ?? false,
    },
  }
}

function objectOf(parameters: JsonSchema[]): JsonSchema | undefined {
  if (parameters.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

function closure(names: string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    for (const inner of namesIn(schemas[name])) add(inner)
  }
  for (const name of names) add(name)
  return [...found].sort()
}

function schemaFile(file: string, files: Files, names: string[]): string {
  const types = names.map((name) => {
    const schema = schemas[name] ?? {}
    const text = typeof schema['description'] === 'string' ? schema['description'] : `\`${name}\` of the API.`
    return `/** ${text} */\nexport type ${name} = ${typeOf(schema)}\n`
  })
  return `${heading}${imports(file, files, namesIn(names.map((name) => schemas[name])))}\n${types.join('\n')}`
}

function imports(file: string, files: Files, wanted: string[]): string {
  return Object.entries(files)
    .filter(([other]) => other !== file)
    .map(([other, names]): [string, string[]] => [other, names.filter((name) => wanted.includes(name))])
    .filter(([, names]) => names.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([other, names]) => `import type { ${names.sort(byName).join(', ')} } from './${other}.ts'\n`)
    .join('')
}

/** The order of the formatter. */
const byName = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)

function routesFile(name: string, title: string, entries: Entry[], files: Files): string {
  const groups = Map.groupBy(entries, ({ route }) => `${route.lane}_${route.method.toLowerCase()}`)
  const common = new Map(
    [...groups].map(([name, members]) => {
      const [first, ...others] = members.map(({ route }) => errorsOf(route) as readonly string[])
      return [name, (first ?? []).filter((code) => others.every((codes) => codes.includes(code))).sort()]
    }),
  )
  const union = (codes: readonly string[]) => codes.map((code) => `'${code}'`).join(' | ')
  const shared = [...common].map(([name, codes]) => `type ${pascal(name)} = ${union(codes)}\n`)
  const fields = entries.map(({ route, data, input }) => {
    const group = `${route.lane}_${route.method.toLowerCase()}`
    const own = (errorsOf(route) as readonly string[]).filter((code) => !common.get(group)?.includes(code))
    const given = [
      ...(input.params === undefined ? [] : [`params: ${typeOf(input.params)}`]),
      ...(input.query === undefined ? [] : [`query: ${typeOf(input.query)}`]),
      ...(input.body === undefined
        ? []
        : [`body: ${typeOf(input.body)}${input.isBodyRequired ? '' : ' | undefined'}`]),
    ]
    return `/** ${route.summary}. */
'${route.method} ${route.path}': {
  ${given.join('\n')}
  data: ${typeOf(data)}
  code: ${[pascal(group), ...(own.length > 0 ? [union(own)] : [])].join(' | ')}
}`
  })
  const wanted = namesIn(entries.map(({ data, input }) => [data, input]))
  return `${heading}${imports('', files, wanted)}
${shared.join('\n')}
/** ${title}, by method and path. Without data (204) \`data\` is null. */
export type ${name} = {\n${fields.join('\n')}\n}\n`
}

const pascal = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
