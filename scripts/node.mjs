/**
 * Runs a file on Node >= 24, whatever Node started us (anything from 20 on): the system's own when it is new enough, the
 * pinned one from `optionalDependencies` otherwise. `--link` puts the pinned one first on the PATH of npm scripts.
 * `--if-there <file>` leaves out the run, with a line, where neither is.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 24
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const isWindows = process.platform === 'win32'
const isLinux = process.platform === 'linux'
const platform = isWindows ? 'win' : process.platform
const pinned = path.join(
  root,
  'node_modules',
  `node-${platform}-${process.arch}`,
  'bin',
  isWindows ? 'node.exe' : 'node',
)
const isNewEnough = Number(process.versions.node.split('.')[0]) >= nodeMajorMin

/** npm scripts see `node_modules/.bin` first: with this link a bare `node` there is the pinned one. */
function link() {
  if (isNewEnough || isWindows || !existsSync(pinned)) return
  const target = path.join(root, 'node_modules', '.bin', 'node')
  mkdirSync(path.dirname(target), { recursive: true })
  rmSync(target, { force: true })
  symlinkSync(path.relative(path.dirname(target), pinned), target)
}

function run(args) {
  const node = isNewEnough ? process.execPath : pinned
  if (!existsSync(node)) {
    console.error(
      `Node >= ${nodeMajorMin} is needed (this is ${process.version}) and the pinned one is not installed. ` +
        'Run `npm install` without omitting optional dependencies, or install Node 24.',
    )
    process.exit(1)
  }
  const child = spawn(node, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: path.dirname(node) + path.delimiter + process.env.PATH,
      SYMBOLON_LAUNCHER_PID: String(process.pid),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A killed npm forwards nothing. Only below npm: a shell that put us into the background may end before us.
  if (process.env.npm_lifecycle_event !== undefined && !isWindows) watchNpm(() => child.kill('SIGTERM'))
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

/** The parent or the command of a process as text, empty where the system does not tell. */
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

const [first, ...rest] = process.argv.slice(2)
if (first === '--link') link()
else if (first !== '--if-there') run(process.argv.slice(2))
else if (isNewEnough || existsSync(pinned)) run(rest)
else console.log(`${rest[0]} was not run: it needs Node >= ${nodeMajorMin}.`)
