module consumer {
  requires io.bankml;
}
