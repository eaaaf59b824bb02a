package io.bankml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Params: values one by one, by builder, from requests and model files; refusals name parameter and value. */
class ParamsTest {
  private static final Path MODEL = Path.of(System.getProperty("bankml.tree"), "examples/tiny-model/tiny-model.gguf");

  @Test
  void numbers_switches_and_aliases() {
    try (Params params = new Params()) {
      assertEquals(40, params.number("top_k"));
      assertEquals("default", params.origin("top_k"));
      params.set("top_k", 5).set("temp", 0.5).set("ignore_eos", true);
      assertEquals(5, params.number("top_k"));
      assertEquals(0.5, params.number("temperature"));
      assertEquals("true", params.json("ignore_eos"));
      assertEquals("set", params.origin("top_k"));
    }
  }

  @Test
  void a_refusal_names_parameter_and_value_and_changes_nothing() {
    try (Params params = new Params()) {
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> params.set("mirostat", 7));
      assertEquals(ErrorCode.ARG, e.code());
      assertTrue(e.getMessage().contains("mirostat") && e.getMessage().contains("7"), e.getMessage());
      assertEquals(0, params.number("mirostat"));
      assertThrows(IllegalArgumentException.class, () -> params.set("top_k", 1.5));
      assertThrows(IllegalArgumentException.class, () -> params.set("top_p", Double.NaN));
      assertThrows(IllegalArgumentException.class, () -> params.set("nonsense", 1));
      assertThrows(IllegalArgumentException.class, () -> params.set("top_k\0", 1));
      assertThrows(IllegalArgumentException.class, () -> params.number("logit_bias"));
      assertThrows(IllegalArgumentException.class, () -> params.number("nonsense"));
      assertThrows(IllegalArgumentException.class, () -> params.json("nonsense"));
      assertThrows(IllegalArgumentException.class, () -> params.origin("nonsense"));
      assertThrows(IllegalArgumentException.class, () -> new Params("nonsense"));
      assertThrows(IllegalArgumentException.class, () -> params.setJson("logit_bias", "[[1"));
      assertThrows(NullPointerException.class, () -> params.set(null, 1));
    }
  }

  @Test
  void texts_lists_and_json() {
    try (Params params = new Params()) {
      params.set("samplers", "kt");
      assertEquals("[\"top_k\",\"temperature\"]", params.json("samplers").replace(" ", ""));
      params.set("samplers", List.of("min_p", "temperature"));
      assertEquals("[\"min_p\",\"temperature\"]", params.json("samplers").replace(" ", ""));
      params.setJson("logit_bias", "[[3,-1.5],[4,false]]");
      assertTrue(params.json("logit_bias").contains("-1.5"), params.json("logit_bias"));
    }
  }

  @Test
  void texts_beyond_the_first_plane_arrive_unchanged() {
    String text = "\"\\ \u0001 é 🦙";
    try (Params params = new Params();
        Vocab vocab = Vocab.ofTexts(List.of("a", "b"))) {
      params.set("dry_sequence_breakers", List.of(text));
      assertTrue(params.json("dry_sequence_breakers").contains("🦙"), params.json("dry_sequence_breakers"));
      params.set("dry_sequence_breakers", List.of()).set("dry_multiplier", 0).setJson("logit_bias", "[[\"🦙\",1]]");
      List<OpenText> open = params.openTexts(vocab);
      assertEquals("🦙", open.get(0).text());
      assertEquals("logit_bias", open.get(0).purpose());
      assertEquals(4, open.get(0).bytes().length);
      assertTrue(open.get(0).toString().contains("🦙"));
      assertThrows(InvalidArgumentException.class, () -> new Sampler(params, vocab));
      assertThrows(InvalidArgumentException.class, () -> params.answer(9, 1));
      params.answer(0, 1);
      assertEquals(List.of(), params.openTexts(vocab));
      try (Sampler sampler = new Sampler(params.set("temperature", 0), vocab)) {
        assertEquals(1, sampler.sample(new float[] {0.5f, 0}));
      }
    }
  }

  @Test
  void a_request_and_strictness() {
    try (Params params = new Params()) {
      params.load("{\"temperature\": 0.25, \"top_k\": 3, \"model\": \"x\"}");
      assertEquals("request", params.origin("top_k"));
      assertEquals(3, params.number("top_k"));
      params.strict(true);
      String request = "{\"no_field\": 1}";
      InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> params.load("llama-server", request));
      assertTrue(e.getMessage().contains("no_field"), e.getMessage());
      assertThrows(IllegalArgumentException.class, () -> params.load("{"));
      assertThrows(IllegalArgumentException.class, () -> params.load("no-format", "{}"));
    }
  }

  @Test
  void a_model_files_defaults() throws Exception {
    try (Params byPath = new Params();
        Params byBytes = new Params()) {
      byPath.loadGguf(MODEL);
      byBytes.loadGguf(Files.readAllBytes(MODEL));
      assertTrue(byPath.origin("temperature").startsWith("gguf:"), byPath.origin("temperature"));
      assertEquals(byPath.toJson(), byBytes.toJson());
      assertThrows(IllegalArgumentException.class, () -> byPath.loadGguf(new byte[10]));
      RuntimeException e = assertThrows(RuntimeException.class, () -> byPath.loadGguf(Path.of("/nowhere/x.gguf")));
      assertTrue(e.getMessage().contains("/nowhere/x.gguf"), e.getMessage());
      assertEquals(List.of(), byPath.warnings());
    }
  }

  @Test
  void the_builder_takes_everything() {
    ParamsBuilder builder = Params.builder().seed(-1).topK(1).samplers("top_k", "temperature").ignoreEos(false)
        .logitBias(Map.of(2, Double.NEGATIVE_INFINITY)).dryBreakerTokens(new int[] {1, 2}, new int[] {3}).drySequenceBreakers("\n")
        .disable().request("{\"min_keep\": 2}").gguf(MODEL);
    try (Params params = builder.build();
        Params again = builder.build()) {
      assertEquals(params.toJson(), again.toJson());
      assertEquals("[[1,2],[3]]", params.json("dry_breaker_tokens").replace(" ", ""));
      assertTrue(params.json("logit_bias").contains("2"), params.json("logit_bias"));
      assertEquals(2, params.number("min_keep"));
      assertEquals(4294967295.0, params.number("seed"));
    }
    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> Params.builder().mirostat(3).build());
    assertTrue(e.getMessage().contains("mirostat"), e.getMessage());
  }

  @Test
  void a_banned_and_a_favoured_token() {
    try (Sampler sampler = Rows.neutral(3, b -> b.temperature(0).logitBias(Map.of(0, Double.NEGATIVE_INFINITY, 2, 5)))) {
      assertEquals(2, sampler.sample(new float[] {9, 3, 1}));
    }
  }

  @Test
  void a_copy_is_independent() {
    try (Params params = new Params().set("top_k", 7);
        Params copy = params.copy()) {
      params.set("top_k", 8);
      assertEquals(7, copy.number("top_k"));
      assertFalse(copy.toJson().equals(params.toJson()));
    }
  }

  @Test
  void open_texts_hand_out_copies() {
    try (Params params = new Params().setJson("logit_bias", "[[\"ab\",1]]")) {
      OpenText open = params.openTexts(null).get(0);
      open.bytes()[0] = 0;
      assertArrayEquals(new byte[] {'a', 'b'}, open.bytes());
    }
  }
}
