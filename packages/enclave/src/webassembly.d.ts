/** The part of the WebAssembly JavaScript interface (W3C) that the signer uses: TypeScript has it in its DOM library alone. */
declare namespace WebAssembly {
  type Exports = Record<string, unknown>
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(
      module: Module,
      imports: Record<string, Record<string, (argument: number) => number | undefined>>,
    )
    readonly exports: Exports
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Global {
    readonly value: number
  }
}
