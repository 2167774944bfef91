; Memory for arrays in WebAssembly, those of JavaScript and those that kernels make, and what LLVM
; wants of a runtime library.
;
; Blocks lie one behind the other, each at a multiple of 64 bytes behind a head of 64: where the
; block before it begins, whether it was given back, and where it ends. What was given back is free
; once all behind it was. JavaScript marks a place and later releases all that lies behind it.

target triple = "wasm32-unknown-unknown"

@__heap_base = external global i8
@top = internal global i32 0
@end = internal global i32 0

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)

; The end of the last block, or of what is there before any.
define internal i32 @heap_end() {
  %end = load i32, ptr @end
  %none = icmp eq i32 %end, 0
  %base = ptrtoint ptr @__heap_base to i32
  %from = select i1 %none, i32 %base, i32 %end
  ret i32 %from
}

; A block of so many bytes, or null if there is no memory for it.
define ptr @reserve(i64 %size) noinline {
  %large = icmp ugt i64 %size, 2147483647
  br i1 %large, label %fail, label %fits
fits:
  %start = call i32 @heap_end()
  %wide = zext i32 %start to i64
  %head = add i64 %wide, 127
  %sum = add i64 %head, %size
  %next = and i64 %sum, -64
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %widepages = zext i32 %pages to i64
  %have = shl i64 %widepages, 16
  %enough = icmp ule i64 %next, %have
  br i1 %enough, label %take, label %grow
grow:
  %missing = sub i64 %next, %have
  %rounded = add i64 %missing, 1048575
  %megabytes = lshr i64 %rounded, 20
  %more = shl i64 %megabytes, 4
  %narrow = trunc i64 %more to i32
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %narrow)
  %refused = icmp eq i32 %before, -1
  br i1 %refused, label %fail, label %take
take:
  %block = inttoptr i32 %start to ptr
  %top = load i32, ptr @top
  store i32 %top, ptr %block
  %given = getelementptr i8, ptr %block, i32 4
  store i32 0, ptr %given
  %stop = getelementptr i8, ptr %block, i32 8
  %narrownext = trunc i64 %next to i32
  store i32 %narrownext, ptr %stop
  store i32 %start, ptr @top
  store i32 %narrownext, ptr @end
  %data = getelementptr i8, ptr %block, i32 64
  ret ptr %data
fail:
  ret ptr null
}

define ptr @PyMem_RawMalloc(i64 %size) {
  %data = call ptr @reserve(i64 %size)
  ret ptr %data
}

; Give a block back; the last ones that were given back are free.
define void @PyMem_RawFree(ptr %data) noinline {
entry:
  %given = getelementptr i8, ptr %data, i32 -60
  store i32 1, ptr %given
  br label %next
next:
  %top = load i32, ptr @top
  %none = icmp eq i32 %top, 0
  br i1 %none, label %done, label %look
look:
  %block = inttoptr i32 %top to ptr
  %flag = getelementptr i8, ptr %block, i32 4
  %free = load i32, ptr %flag
  %is = icmp eq i32 %free, 1
  br i1 %is, label %drop, label %done
drop:
  %before = load i32, ptr %block
  store i32 %before, ptr @top
  store i32 %top, ptr @end
  br label %next
done:
  ret void
}

; The place that ``release`` goes back to.
define i32 @mark() {
  %top = load i32, ptr @top
  ret i32 %top
}

; Free all blocks behind a mark.
define void @release(i32 %mark) {
  store i32 %mark, ptr @top
  %none = icmp eq i32 %mark, 0
  br i1 %none, label %all, label %some
all:
  store i32 0, ptr @end
  ret void
some:
  %block = inttoptr i32 %mark to ptr
  %place = getelementptr i8, ptr %block, i32 8
  %stop = load i32, ptr %place
  store i32 %stop, ptr @end
  ret void
}

; The product of two whole numbers of 128 bits: whether a size overflows is asked in this way.
define void @__multi3(ptr %result, i64 %a, i64 %atop, i64 %b, i64 %btop) noinline optnone {
  %alow = and i64 %a, 4294967295
  %ahigh = lshr i64 %a, 32
  %blow = and i64 %b, 4294967295
  %bhigh = lshr i64 %b, 32
  %ll = mul i64 %alow, %blow
  %lh = mul i64 %alow, %bhigh
  %hl = mul i64 %ahigh, %blow
  %hh = mul i64 %ahigh, %bhigh
  %carry = lshr i64 %ll, 32
  %lhlow = and i64 %lh, 4294967295
  %hllow = and i64 %hl, 4294967295
  %mid = add i64 %carry, %lhlow
  %middle = add i64 %mid, %hllow
  %lhtop = lshr i64 %lh, 32
  %hltop = lshr i64 %hl, 32
  %middletop = lshr i64 %middle, 32
  %up = add i64 %hh, %lhtop
  %upper = add i64 %up, %hltop
  %high = add i64 %upper, %middletop
  %cross = mul i64 %a, %btop
  %other = mul i64 %atop, %b
  %crossed = add i64 %cross, %other
  %whole = add i64 %high, %crossed
  %low = mul i64 %a, %b
  store i64 %low, ptr %result
  %second = getelementptr i8, ptr %result, i32 8
  store i64 %whole, ptr %second
  ret void
}
