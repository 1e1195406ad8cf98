import { hash } from 'node:crypto'
import {
  escaped,
  type Json,
  listAt,
  members,
  objectAt,
  prose,
  row,
  schemaId,
  typeOf,
} from './reference-schema.ts'

const style = `
:root{color-scheme:light dark;--line:light-dark(#ddd6cd,#3a352f);--soft:light-dark(#f5f2ee,#1f1c19);--brand:light-dark(#96481a,#dd9a5f)}
*{box-sizing:border-box}
body{font:15px/1.55 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr);background:light-dark(#fff,#161412);color:light-dark(#1c1917,#ece7e1)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:14px}
nav ul{list-style:none;margin:0;padding:0 0 0 .6rem}nav summary{cursor:pointer;padding:.2rem 0;font-weight:600}nav a{display:block;padding:.15rem 0}
main{padding:1.5rem 2rem;max-width:62rem}
a{color:var(--brand);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}
h1{margin:0 0 .5rem}h2{margin:2.5rem 0 .5rem;padding-top:1rem;border-top:2px solid var(--line)}h3{margin:2rem 0 .4rem;font-size:1.1rem;overflow-wrap:anywhere}h4{margin:1rem 0 .3rem;font-size:.95rem}
p{margin:.3rem 0}code{font:13px/1.5 ui-monospace,monospace;background:var(--soft);padding:.1rem .3rem;border-radius:4px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.4rem 0}th,td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{width:15rem;font-weight:400}td table th{width:11rem}
small{opacity:.75}b.method{color:var(--brand);font:700 13px ui-monospace,monospace}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}th,td table th{width:auto}}
`

/** No script at all, one style by its hash, and nobody frames it. */
export const referencePolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

type Operation = { method: string; path: string; operation: Json }

/** The page of the API reference: everything that the OpenAPI document says, as plain HTML. Made a section at a time. */
export function* referencePage(document: Json): Generator<undefined, string, undefined> {
  const all = operationsOf(document)
  const sections = listAt(document, 'tags').map((tag) => ({
    tag,
    operations: all.filter(({ operation }) => String(operation['tags']) === String(tag['name'])),
  }))
  const components = objectAt(document, 'components')
  const info = objectAt(document, 'info')
  let described = ''
  for (const { tag, operations } of sections) {
    described += `<h2 id="tag-${escaped(tag['name'])}">${escaped(tag['x-displayName'])}</h2>${prose(tag['description'])}`
    for (const each of operations) {
      described += operationSection(each, components)
      yield undefined
    }
  }
  let schemas = ''
  for (const each of Object.entries(objectAt(components, 'schemas'))) {
    schemas += schemaSection(each)
    yield undefined
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Symbolon API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav aria-label="Routes"><a href="#top">Overview</a><a href="#credentials">Credentials</a>${sections.map(navigation).join('')}<a href="#schemas">Schemas</a></nav>
<main id="top">
<h1>${escaped(info['title'])} API reference</h1>
<p><small>Version ${escaped(info['version'])} · <a href="/v1/openapi.json">OpenAPI document</a> · <a href="/docs/">Guides</a></small></p>
${prose(info['description'])}
<h2 id="credentials">Credentials</h2>
<table><tbody>${Object.entries(objectAt(components, 'securitySchemes')).map(credential).join('')}</tbody></table>
${described}
<h2 id="schemas">Schemas</h2>
${schemas}
</main>
</body>
</html>
`
}

function operationsOf(document: Json): Operation[] {
  const paths = objectAt(document, 'paths')
  return Object.keys(paths).flatMap((path) => {
    const methods = objectAt(paths, path)
    return Object.keys(methods).map((method) => ({ method, path, operation: objectAt(methods, method) }))
  })
}

const operationId = ({ operation }: Operation) => `operation-${escaped(operation['operationId'])}`

type Section = { tag: Json; operations: readonly Operation[] }

const navigation = ({ tag, operations }: Section): string =>
  `<details><summary>${escaped(tag['x-displayName'])}</summary><ul>${operations
    .map((each) => `<li><a href="#${operationId(each)}">${escaped(each.operation['summary'])}</a></li>`)
    .join('')}</ul></details>`

function operationSection(each: Operation, components: Json): string {
  const { method, path, operation } = each
  const parameters = listAt(operation, 'parameters').map((given) => parameter(given, components))
  return `<section id="${operationId(each)}"><h3><b class="method">${escaped(method.toUpperCase())}</b> <code>${escaped(path)}</code></h3>
<p><strong>${escaped(operation['summary'])}</strong></p>${prose(operation['description'])}<p><small>Credentials: ${securityOf(operation)}</small></p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4><table><tbody>${parameters.join('')}</tbody></table>`}${body('Request', objectAt(operation, 'requestBody'))}${responses(operation)}</section>`
}

function parameter(given: Json, components: Json): string {
  const { $ref: reference } = given
  const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : ''
  const found = name === '' ? given : objectAt(objectAt(components, 'parameters'), name)
  const schema = {
    ...objectAt(found, 'schema'),
    ...(found['description'] ? { description: found['description'] } : {}),
  }
  return row({ name: `${found['name']} (${found['in']})`, schema, isRequired: found['required'] === true })
}

const securityOf = (operation: Json): string =>
  listAt(operation, 'security')
    .map((scheme) => Object.keys(scheme).map(escaped).join(' and ') || 'none')
    .join(', or ') || 'none'

const credential = ([name, scheme]: [string, unknown]): string => {
  const { description } = (scheme ?? {}) as Json
  return `<tr><th scope="row"><code>${escaped(name)}</code></th><td>${prose(description)}</td></tr>`
}

function body(title: string, content: Json): string {
  return Object.entries(objectAt(content, 'content'))
    .map(([type, media]) => {
      const schema = objectAt((media ?? {}) as Json, 'schema')
      return `<h4>${title} <small>${escaped(type)}</small></h4><p>${typeOf(schema)}</p>${members(schema)}`
    })
    .join('')
}

function responses(operation: Json): string {
  const all = objectAt(operation, 'responses')
  const failures: string[] = []
  let answers = ''
  for (const status of Object.keys(all)) {
    const { 'x-codes': codes } = objectAt(all, status)
    if (!Array.isArray(codes)) answers += body(`Answer ${escaped(status)}`, objectAt(all, status))
    else
      failures.push(
        `${escaped(status)}: ${codes.map((code) => `<a href="/docs/errors/${escaped(code)}"><code>${escaped(code)}</code></a>`).join(', ')}`,
      )
  }
  return `${answers}${failures.length === 0 ? '' : `<h4>Errors</h4>${failures.map((each) => `<p>${each}</p>`).join('')}`}`
}

const schemaSection = ([name, schema]: [string, unknown]): string => {
  const given = (schema ?? {}) as Json
  return `<section id="${schemaId(escaped(name))}"><h3>${escaped(name)}</h3>${prose(given['description'])}<p>${typeOf(given)}</p>${members(given)}</section>`
}
