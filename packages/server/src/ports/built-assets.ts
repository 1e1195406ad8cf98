/** A built file, as it is served. */
export type BuiltFile = {
  name: string
  type: string
  body: Buffer
  gzipped: Buffer
  /** `sha384-…` of the body, as `integrity` and `ETag` take it. */
  integrity: string
}

/** The files of the wallet frame. */
export type FrameAssets = { script: BuiltFile; style: BuiltFile }

/** The assets built for browsers; undefined until they are built, in development only. */
export type BuiltAssets = {
  frame(): Promise<FrameAssets | undefined>
  /** The SDK as one module. */
  sdk(): Promise<BuiltFile | undefined>
}

/** The portal: its one page, which names the files that it loads first, and all files by their names. */
export type PortalAssets = { page: string; files: ReadonlyMap<string, BuiltFile> }

/** The portal as it is built; undefined until it is there, which only development sees. */
export type BuiltPortal = () => Promise<PortalAssets | undefined>

/** Programs and pages that people download and use without the platform; undefined until built, which only development sees. */
export type BuiltTools = { names: readonly string[]; tool(name: string): Promise<BuiltFile | undefined> }

/**
 * The documentation: `file` answers a file by its path below `/docs/`; `scripts` and `styles` are the hashes (`sha256-…`) of what its
 * pages have inline.
 */
export type DocsSite = {
  scripts: readonly string[]
  styles: readonly string[]
  file(path: string): Promise<BuiltFile | undefined>
}

/** The documentation as it is built; undefined until it is there, which only development sees. */
export type BuiltDocs = () => Promise<DocsSite | undefined>
