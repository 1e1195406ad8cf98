/**
 * Runs a file on a Node that is new enough, whatever Node started us (anything from 20 on); scripts/choose-node.mjs says which.
 * `--if-there <file>` leaves out the run, with a line, where there is none. `--outlive <file>` is for services: neither the end of npm nor
 * that of a terminal ends them.
 *
 * It stays ours because the tools that pick a Node (nvm, Volta, pnpm) have to be installed first, and npm and Node are all we ask for.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseNode } from './choose-node.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
/** Where Node keeps what it made of our sources: to strip the types of a script anew takes a fifth of a second of CPU at each run. */
const compiled = path.join(root, 'node_modules/.cache/compiled')
const isWindows = process.platform === 'win32'
const isLinux = process.platform === 'linux'

function packageNode(name) {
  const folder = path.join(root, 'node_modules', name)
  const file = path.join(folder, 'bin', isWindows ? 'node.exe' : 'node')
  if (!existsSync(file)) return undefined
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return { path: file, version }
}

/** The Node that runs npm, as npm passes it to its scripts: `npm/10.8.2 node/v20.20.2 linux x64 …`. */
function npmNode() {
  const version = /\bnode\/(v\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
  const file = process.env.npm_node_execpath
  return version === undefined || file === undefined ? undefined : { path: file, version }
}

function run(node, args, isService) {
  let child
  // Before there is a child: Node keeps a signal of the meantime until this function has returned, and would end by it without a listener.
  for (const signal of ['SIGINT', 'SIGTERM', ...(isService ? [] : ['SIGHUP'])])
    process.on(signal, () => child.kill(signal))
  if (isService) process.on('SIGHUP', () => {})
  child = spawn(node, args, {
    stdio: 'inherit',
    env: {
      // A service writes nothing beside its code.
      ...(!isService && { NODE_COMPILE_CACHE: compiled }),
      ...process.env,
      PATH: path.dirname(node) + path.delimiter + process.env.PATH,
      SYMBOLON_LAUNCHER_PID: String(process.pid),
    },
  })
  // A killed npm forwards nothing. Only below npm: a shell that put us into the background may end before us.
  if (!isService && process.env.npm_lifecycle_event !== undefined && !isWindows)
    watchNpm(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const own of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(own)
    process.kill(process.pid, signal)
  })
}

/**
 * Calls `end` while npm is gone: our parent, or the parent of the shell that npm runs its scripts in. A shell that replaces
 * itself by its last command is not between; whoever started npm then may end.
 */
function watchNpm(end) {
  const parent = process.ppid
  const isShell = / -c /.test(` ${about(parent, 'args')} `)
  const npm = isShell ? about(parent, 'ppid') : ''
  const isGone = () => process.ppid !== parent || (npm !== '' && about(parent, 'ppid') !== npm)
  setInterval(() => isGone() && end(), isLinux ? 500 : 2_000).unref()
}

/** The parent or the command of a process as text, empty where the system does not show it. */
function about(pid, what) {
  if (!isLinux)
    return (
      spawnSync('ps', ['-o', `${what}=`, '-p', String(pid)])
        .stdout?.toString()
        .trim() ?? ''
    )
  try {
    if (what === 'args') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // proc(5): `pid (name) state ppid`, and the name may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
  } catch {
    return ''
  }
}

// A signal would open a debugger in this process too, and in the one below, which has secrets. Whatever Node runs this may be too old for
// the option; a listener takes the debugger's place.
if (!isWindows) process.on('SIGUSR1', () => {})

const isOptional = process.argv[2] === '--if-there'
const isService = process.argv[2] === '--outlive'
const args = process.argv.slice(isOptional || isService ? 3 : 2)
const { node, problem } = chooseNode({
  system: `${process.platform}-${process.arch}`,
  own: { path: process.execPath, version: process.version },
  npm: npmNode(),
  packageNode,
})
if (node !== undefined) run(node, ['--disable-sigusr1', ...args], isService)
else if (isOptional) console.log(`${args[0]} was not run. ${problem}`)
else {
  console.error(problem)
  process.exitCode = 1
}
